"""Which options are taken for others?"""

from medassay.analyses.builtin.options.picture import confusion_pictures
from medassay.analyses.builtin.options.record import OptionsChosen, OptionsOf
from medassay.analyses.builtin.options.tables import option_tables
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.answer_choices import Choices
from medassay.error_analysis import OptionConfusion

__all__ = ["options"]


@analysis(
    Declaration(
        id="options",
        title="Which options are taken for others",
        question="Which options does each system choose where others are right?",
        section="clinical",
        part="clinical-options",
        infers=False,
        reader="developer",
        place=2,
        tables=lambda chosen, names: option_tables(chosen.systems, names),
        pictures=lambda chosen, names: confusion_pictures(chosen.systems, names),
    )
)
def options(choices: Choices) -> OptionsChosen | None:
    """Count which option was chosen where each is right, by system."""
    chosen = tuple(
        OptionsOf(
            system,
            OptionConfusion.of(
                ((asked.gold, asked.choice) for asked in questions),
                {option: None for asked in questions for option in asked.options},
            ),
        )
        for system, questions in choices.by_system.items()
    )
    return OptionsChosen(chosen) if chosen else None
