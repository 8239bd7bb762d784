"""One piece of advice and its opposite in ten scripts, for what metrics make of each.

All but the first name the same disease in Latin letters, as medical texts do: a metric that reads
nothing else finds the two alike.
"""

from collections.abc import Mapping
from typing import Final

__all__ = ["LATIN", "OTHERS", "SHORT"]

LATIN: Final = (
    "The patient with COPD must take the tablet every morning and drink a glass of water.",
    "He should never swallow any pill for asthma, and avoid all fluids today.",
)
"""Advice and its opposite in letters that every metric reads; they share no disease."""

OTHERS: Final[Mapping[str, tuple[str, str]]] = {
    "Greek": (
        "Ο ασθενής με COPD πρέπει να παίρνει το χάπι κάθε πρωί με νερό.",
        "Μην κάνετε τίποτα για COPD ποτέ ξανά σήμερα.",
    ),
    "Cyrillic": (
        "Пациент с COPD должен принимать таблетку каждое утро с водой.",
        "Ничего не делайте при COPD никогда больше сегодня.",
    ),
    "Arabic": (
        "يجب على مريض COPD تناول الدواء كل صباح مع الماء.",
        "لا علاج ولا تفعل شيئا أبدا ضد COPD اليوم.",
    ),
    "Hebrew": (
        "חולה COPD חייב לקחת את הכדור כל בוקר עם מים.",
        "אל תעשו דבר נגד COPD לעולם היום.",
    ),
    "Devanagari": (
        "COPD के रोगी को हर सुबह पानी के साथ गोली लेनी चाहिए।",
        "COPD में आज कभी कुछ मत करो।",
    ),
    "Thai": ("ผู้ป่วย COPD ต้องกินยาทุกเช้ากับน้ำ", "ห้ามทำอะไรกับ COPD เลยวันนี้"),
    "Chinese": ("COPD 患者必须每天早上用水服用药片。", "今天对 COPD 绝对什么都不要做。"),
    "Japanese": (
        "COPD の患者は毎朝水で錠剤を服用しなければなりません。",
        "今日は COPD に絶対何もしないでください。",
    ),
    "Korean": (
        "COPD 환자는 매일 아침 물과 함께 알약을 복용해야 합니다.",
        "오늘은 COPD 에 절대 아무것도 하지 마세요.",
    ),
}

SHORT: Final = ("Yes.", "In bed", "Rest at home.")
"""References so short that a rule of several words in a row finds nothing in them."""
