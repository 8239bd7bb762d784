import random

from medassay.models.concepts.open import MergedVocabulary, merge
from medassay.models.concepts.sources import VocabularyEntry


def concept(merged: MergedVocabulary, key: str) -> str:
    return merged.concepts[merged.places[merged.keys.index(key)]][0]


def test_concepts_that_prefer_one_name_are_one() -> None:
    merged = merge(
        [
            [VocabularyEntry("A:1", ("Malaria", "Paludism"))],
            [VocabularyEntry("B:9", ("malarias", "Ague"))],
        ]
    )
    assert {concept(merged, key) for key in ("malaria", "paludism", "ague")} == {"A:1"}


def test_a_synonym_unites_with_the_concept_that_prefers_it_but_an_abbreviation_does_not() -> None:
    merged = merge(
        [
            [VocabularyEntry("A:1", ("Fever", "Pyrexia", "RA"))],
            [
                VocabularyEntry("B:1", ("Pyrexia", "Hot")),
                VocabularyEntry("B:2", ("RA", "Refractory anemia")),
            ],
        ]
    )
    assert concept(merged, "hot") == "A:1"
    assert concept(merged, "refractory anemia") == "B:2"


def test_two_concepts_of_one_source_never_become_one() -> None:
    """Loose synonyms would chain: aspirin and ibuprofen are both 'painkiller' somewhere."""
    drugs = [
        VocabularyEntry("D:1", ("Aspirin", "Painkiller")),
        VocabularyEntry("D:2", ("Ibuprofen", "Painkiller")),
    ]
    merged = merge([drugs, [VocabularyEntry("H:1", ("Painkiller",))]])
    assert concept(merged, "aspirin") != concept(merged, "ibuprofen")


def test_a_name_of_two_concepts_goes_to_the_one_that_prefers_it() -> None:
    merged = merge(
        [[VocabularyEntry("A:1", ("Rhinitis", "Cold")), VocabularyEntry("A:2", ("Cold",))]]
    )
    assert concept(merged, "cold") == "A:2"


def test_references_unite_where_they_are_one_to_one() -> None:
    headings = [VocabularyEntry("MESH:1", ("Emesis",)), VocabularyEntry("MESH:2", ("Belly",))]
    findings = [
        VocabularyEntry("HP:1", ("Throwing up",), ("MESH:1",)),
        VocabularyEntry("HP:2", ("Big belly",), ("MESH:2",)),
        VocabularyEntry("HP:3", ("Small belly",), ("MESH:2",)),
    ]
    merged = merge([headings, findings])
    assert concept(merged, "throwing up") == "MESH:1"
    assert concept(merged, "big belly") == "HP:2"


def test_inverted_general_and_tiny_names() -> None:
    merged = merge([[VocabularyEntry("A:1", ("Abdomen, Acute", "Disease", "B6", "Zinc (Zn)"))]])
    assert merged.keys == ("acute abdomen", "zinc")


def test_the_order_of_names_and_entries_of_a_source_does_not_change_who_is_one() -> None:
    first = [VocabularyEntry(f"A:{i}", (f"alpha{i}", f"beta{i}")) for i in range(20)]
    second = [VocabularyEntry(f"B:{i}", (f"beta{i}", f"gamma{i}")) for i in range(20)]
    straight = merge([first, second])
    shuffled = random.Random(1).sample(second, len(second))  # noqa: S311 - a test's order, no secret
    again = merge([first, shuffled])
    assert again == straight
