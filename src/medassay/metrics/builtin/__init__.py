"""The metrics that come with medassay, one declaration a file.

Every module here is found by being here: to add a metric, add a file.
"""
