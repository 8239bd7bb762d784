"""A spreadsheet as people keep it: questions, answers and ratings under headers of their own.

What enters: files whose columns nobody planned for us, a row an answer or a column a system. What
leaves: a whole study, once what each column means has been shown and agreed to.
"""
