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
from medassay.study.certificates.record import JudgeResult
from medassay.study.check import Summary, summarise
from medassay.study.completed_run import find_completed_run
from medassay.study.demo import write_demo
from medassay.study.elsewhere import Elsewhere
from medassay.study.files import RATERS_KEY
from medassay.study.folder import Study
from medassay.study.imported import Meaning, check_meaning
from medassay.study.intake.answers import add_answers, import_answers
from medassay.study.intake.judgements import (
    ImportSummary,
    import_judgements,
    import_preferences,
    import_scores,
)
from medassay.study.lock import only_user, only_writer
from medassay.study.metric_choice import LeftOut, left_out_now
from medassay.study.new import new_study
from medassay.study.on_ray import on_ray
from medassay.study.protocol import (
    Protocol,
    load_protocol,
    protocol_names,
    protocol_plugin_problems,
)
from medassay.study.pseudonyms import Pseudonyms, lacks_key
from medassay.study.raters_key import write_key, write_lost_key
from medassay.study.rerun import Checked, check_against, set_aside
from medassay.study.run import Run, open_run
from medassay.study.run_log import RunLog
from medassay.study.scales import Said, read_range
from medassay.study.scoring import Progress, Scored, score_study
from medassay.study.shard import Asked, Shard, ShardRecord
from medassay.study.sharded import score_shard, take_in_shards
from medassay.study.urls.fetch import Fetched, fetch_urls
from medassay.study.urls.shared_kept import shared_kept

__all__ = [
    "RATERS_KEY",
    "Answered",
    "Asked",
    "Checked",
    "Elsewhere",
    "Estimate",
    "Fetched",
    "ImportSummary",
    "JudgeResult",
    "LeftOut",
    "Meaning",
    "Progress",
    "Protocol",
    "Pseudonyms",
    "Run",
    "RunLog",
    "Said",
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
