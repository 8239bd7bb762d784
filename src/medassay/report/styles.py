"""How the values of a source are printed."""

from medassay.analyses.results import Results, SourceResult
from medassay.exhibits.numbers import Style


def style_of(source: SourceResult) -> Style:
    """Choose by the scale of a source."""
    return Style.of_scale(source.low, source.high)


def answer_styles(results: Results) -> dict[str, Style]:
    """Choose for the values of single answers: a count, such as words, has no decimals."""
    styles = {source.name: style_of(source) for source in results.sources}
    broken = {
        score.source
        for case in results.cases
        for answer in case.answers
        for score in answer.scores
        if score.value is not None and not score.value.is_integer()
    }
    return {
        name: Style(0) if style == Style(1) and name not in broken else style
        for name, style in styles.items()
    }
