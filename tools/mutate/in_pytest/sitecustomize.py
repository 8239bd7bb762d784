"""Follow a process that a test started, where COVERAGE_PROCESS_START says so."""

import coverage

coverage.process_startup()
