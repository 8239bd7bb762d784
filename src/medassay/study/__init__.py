"""A study folder: open it, check it, plan what is stale, score it, write down what was done.

What enters: a folder with study.toml, cases, answers, judgements. What leaves: the study, its
scores, and the folder of a run. Knows no analysis, and nothing of pages.
"""

from medassay.study.answering import (
    Answered,
    Estimate,
    allowed_of,
    answer_study,
    estimate_study,
)
from medassay.study.certificates.checks import JudgeResult
from medassay.study.check import Summary, summarise
from medassay.study.config.protocol import (
    Protocol,
    load_protocol,
    protocol_names,
    protocol_plugin_problems,
)
from medassay.study.contents.metric_scores import (
    Meaning,
    MetricScaleOptions,
    check_meaning,
    read_range,
)
from medassay.study.contents.private import Pseudonyms, lacks_key
from medassay.study.demo import write_demo
from medassay.study.files.fetch import Fetched, fetch_urls
from medassay.study.files.lock import only_user, only_writer
from medassay.study.files.names import RATERS_KEY
from medassay.study.folder import Study
from medassay.study.intake.answers import add_answers, import_answers
from medassay.study.intake.judgements import (
    ImportSummary,
    import_judgements,
    import_preferences,
    import_scores,
)
from medassay.study.metric_choice import LeftOut, left_out_now
from medassay.study.new import new_study
from medassay.study.runs.raters_key import write_key, write_lost_key
from medassay.study.runs.run import (
    Checked,
    Run,
    RunLog,
    check_against,
    find_completed_run,
    open_run,
    set_aside,
)
from medassay.study.runs.sharded import score_shard, shared_kept, take_in_shards
from medassay.study.scoring.on_ray import on_ray
from medassay.study.scoring.processes import Elsewhere
from medassay.study.scoring.score_study import (
    Progress,
    RunOptions,
    Scored,
    Shard,
    ShardRecord,
    score_study,
)

__all__ = [
    "RATERS_KEY",
    "Answered",
    "Checked",
    "Elsewhere",
    "Estimate",
    "Fetched",
    "ImportSummary",
    "JudgeResult",
    "LeftOut",
    "Meaning",
    "MetricScaleOptions",
    "Progress",
    "Protocol",
    "Pseudonyms",
    "Run",
    "RunLog",
    "RunOptions",
    "Scored",
    "Shard",
    "ShardRecord",
    "Study",
    "Summary",
    "add_answers",
    "allowed_of",
    "answer_study",
    "check_against",
    "check_meaning",
    "estimate_study",
    "fetch_urls",
    "find_completed_run",
    "import_answers",
    "import_judgements",
    "import_preferences",
    "import_scores",
    "lacks_key",
    "left_out_now",
    "load_protocol",
    "new_study",
    "on_ray",
    "only_user",
    "only_writer",
    "open_run",
    "protocol_names",
    "protocol_plugin_problems",
    "read_range",
    "score_shard",
    "score_study",
    "set_aside",
    "shared_kept",
    "summarise",
    "take_in_shards",
    "write_demo",
    "write_key",
    "write_lost_key",
]
