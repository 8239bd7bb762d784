"""What files of evaluation tools say, as one kind of row; and the study that it makes.

Every format of a tool fills `ToolRows`, cell by cell, and says of each what it is. One writer makes
a study of them, with the account that imports of spreadsheets give.
"""
