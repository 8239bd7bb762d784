"""What is computed from a study: one module a part of its `Results`.

What enters: a study that was read, its scores. What leaves: `Results`, put together by `assemble`,
and the reports that agree, consensus, plan, triage and validity print by themselves.
"""
