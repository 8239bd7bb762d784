import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.errors import InvalidInput, MedassayError, UnknownName
from medassay.metrics import Declaration, Parameter, declarations, resolve
from medassay.scores import Name


def full_names(declaration: Declaration) -> st.SearchStrategy[str]:
    """Draw any legal way to write a metric's name: any order, defaults written or not."""

    def write(choices: dict[str, str], order: list[int]) -> str:
        keys = sorted(choices, key=lambda key: order[list(choices).index(key)])
        inside = " , ".join(f"{key} = {choices[key]}" for key in keys)
        base = f"{declaration.name}@5" if declaration.takes_k else declaration.name
        return f"{base}({inside})" if inside else base

    def values(parameter: Parameter) -> st.SearchStrategy[str]:
        words = [st.sampled_from(parameter.values)] if parameter.values else []
        numbers = [] if parameter.kind == "choice" else [st.integers(1, 200).map(str)]
        return st.one_of(*words, *numbers)

    required = {p.name: values(p) for p in declaration.parameters if not p.default}
    optional = {p.name: values(p) for p in declaration.parameters if p.default}
    chosen = st.fixed_dictionaries(required, optional=optional)
    return st.builds(write, chosen, st.permutations(range(len(declaration.parameters))))


@given(st.sampled_from(declarations()).flatmap(full_names))
def test_a_canonical_name_parses_back_to_itself(text: str) -> None:
    metric = resolve(text)
    again = resolve(str(metric.name))
    assert Name.parse(str(metric.name)) == metric.name == again.name
    assert str(again.signature) == str(metric.signature)
    assert again.arguments == metric.arguments


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("rouge1(ref=human)", "rouge1(ref=human)"),
        ("rouge1( stemmer=yes , ref=note,measure=f)", "rouge1(ref=note,stemmer=yes)"),
        ("length", "length"),
        ("bleu(limit=075,ref=note)", "bleu(limit=75,ref=note)"),
        ("bleu(limit=none,ref=note)", "bleu(ref=note)"),
        ("over_limit(limit=75)", "over_limit"),
        (
            "citation_f1(rules=archehr2025,gold=strict)",
            "citation_f1(gold=strict,rules=archehr2025)",
        ),
        ("sari(ref=human,source=question)", "sari(ref=human)"),
        ("length(unit=words)", "length"),
        ("length(unit=characters)", "length(unit=characters)"),
    ],
)
def test_defaults_are_left_out_and_keys_sorted(written: str, canonical: str) -> None:
    assert str(resolve(written).name) == canonical


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("rogue1(ref=human)", 'there is no metric "rogue1". Did you mean "rouge1"'),
        ("rouge1", 'rouge1: must say ref, one of human, note; got "rouge1". For example'),
        ("bertscore_f1(ref=human)", "bertscore_f1: must say layer, a whole number of 0 or more"),
        ("rouge1(ref=humn)", 'column ref: must be one of human, note; got "humn". Did you mean'),
        ("rouge1(reff=human)", "column reff: must have only the parameters ref, measure, stemmer"),
        ("bleu@4(ref=human)", 'bleu: must have no cut-off; got "bleu@4(ref=human)"'),
        ("bleu(limit=0,ref=human)", "limit: must be a whole number of 1 or more or none; got"),
        ("bleu(ref=human", "must have the form name[@k](key=value,...)"),
    ],
)
def test_what_is_wrong_with_a_name_is_said(written: str, message: str) -> None:
    with pytest.raises(MedassayError) as caught:
        resolve(written)
    assert message in str(caught.value)


def test_everything_wrong_with_one_name_is_said_at_once() -> None:
    with pytest.raises(InvalidInput) as caught:
        resolve("rouge1(measure=g,stem=yes)")
    assert [p.column for p in caught.value.problems] == ["stem", None, "measure"]


def test_a_metric_is_its_name() -> None:
    written = ["length", "length(unit=words)", "length(unit=characters)"]
    assert len({resolve(name) for name in written}) == 2


def test_an_unknown_metric_is_an_unknown_name() -> None:
    with pytest.raises(UnknownName):
        resolve("zzz")


def test_the_signature_names_settings_and_library() -> None:
    signature = str(resolve("bleu(ref=note)").signature)
    for part in ("bleu(ref=note)|version:2", "tokenizer:13a", "smoothing:none", "sacrebleu:2."):
        assert part in signature
    assert "measure:f" in str(resolve("rougeL(ref=human)").signature)


@given(st.floats(0, 1e9))
def test_numbers_have_one_form(value: float) -> None:
    parameter = Parameter(name="beta", says="Weight.", kind="number", low=0, default="1.0")
    form = parameter.canonical(str(value), metric="f")
    assert float(form) == value
    assert parameter.canonical(f"{form}", metric="f") == form
    assert parameter.canonical("00.50", metric="f") == "0.5"


@pytest.mark.parametrize("value", ["-1", "nan", "inf", "x", "1.5"])
def test_a_number_that_is_not_allowed_is_refused(value: str) -> None:
    parameter = Parameter(name="n", says="Count.", kind="integer", low=0)
    with pytest.raises(InvalidInput, match="must be a whole number of 0 or more"):
        parameter.canonical(value, metric="f")


@pytest.mark.parametrize(
    ("name", "ends"),
    [
        ("medcon(ref=human,rule=compat)", (0, 2)),
        ("medcon(ref=human,rule=cui)", (0, 1)),
        ("bertscore_f1(ref=human,model=mine,layer=4)", (0, 1)),
        ("bertscore_recall(ref=human,model=mine,layer=4)", (-1, 1)),
        ("bertscore_f1(ref=human,model=mine,layer=4,baseline=en)", (None, 1)),
    ],
)
def test_a_range_is_that_of_the_choices(name: str, ends: tuple[float | None, float]) -> None:
    assert resolve(name).range == ends
