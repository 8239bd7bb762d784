"""A tiny RoBERTa with AlignScore's heads, saved as its authors save theirs."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

TEXT: Final = """
    the patient was given a tablet of aspirin twice each day and had no fever or rash she came to
    hospital with pain in her left knee which was swollen doctors found an infection
"""
WORDS: Final = tuple(TEXT.split())
SPECIAL: Final = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")


def save_roberta_tokenizer(
    folder: Path, longest: int = 512, trained_on: Sequence[str] = (TEXT,), vocabulary: int = 600
) -> int:
    """Save a byte-level tokenizer with RoBERTa's marks; give the size of its vocabulary."""
    tokenizers: Any = import_module("tokenizers")
    transformers: Any = import_module("transformers")
    core: Any = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="<unk>"))  # noqa: S106 - no password
    core.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=list(SPECIAL),
        initial_alphabet=sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    core.train_from_iterator(trained_on, trainer)
    core.post_processor = tokenizers.processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    names = ("bos_token", "pad_token", "eos_token", "unk_token", "mask_token")
    marks = dict(zip(names, SPECIAL, strict=True))
    wrapped: Any = transformers.PreTrainedTokenizerFast(
        tokenizer_object=core,
        model_max_length=longest,
        cls_token="<s>",  # noqa: S106 - no password
        sep_token="</s>",  # noqa: S106 - no password
        **marks,
    )
    wrapped.save_pretrained(folder)
    return int(core.get_vocab_size())


def save_alignscore(
    folder: Path,
    seed: int = 1,
    width: int = 32,
    trained_on: Sequence[str] = (TEXT,),
    vocabulary: int = 600,
) -> Path:
    """Save encoder configuration, tokenizer and `tiny.ckpt` in a folder; give the checkpoint."""
    torch: Any = import_module("torch")
    transformers: Any = import_module("transformers")
    size = save_roberta_tokenizer(folder, trained_on=trained_on, vocabulary=vocabulary)
    config: Any = transformers.RobertaConfig(
        vocab_size=size,
        hidden_size=width,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=2 * width,
        max_position_embeddings=514,
        type_vocab_size=1,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        initializer_range=0.4,  # so that outputs differ visibly
    )
    config.save_pretrained(folder)
    torch.manual_seed(seed)
    return save_parts(folder, config)


def save_parts(folder: Path, config: Any) -> Path:  # noqa: ANN401 - of an untyped package
    """Save a checkpoint with random weights, `tiny.ckpt`, for an encoder; give its path."""
    torch: Any = import_module("torch")
    transformers: Any = import_module("transformers")
    width = config.hidden_size
    encoder: Any = transformers.RobertaModel(config)
    parts: dict[str, Any] = {
        "base_model": encoder,
        "mlm_head": transformers.RobertaForMaskedLM(config).lm_head,
        "bin_layer": torch.nn.Linear(width, 2),
        "tri_layer": torch.nn.Linear(width, 3),
        "reg_layer": torch.nn.Linear(width, 1),
    }
    state = {f"{part}.{key}": t for part, m in parts.items() for key, t in m.state_dict().items()}
    # transformers of the time of the paper saved positions as a buffer
    state["base_model.embeddings.position_ids"] = torch.arange(514).expand((1, -1))
    checkpoint = {
        "epoch": 2,
        "global_step": 1000,
        "pytorch-lightning_version": "1.7.7",
        "state_dict": state,
        "loops": {"fit_loop": {"state_dict": {}}},
        "callbacks": {"ModelCheckpoint{'monitor': None}": {"best_model_score": torch.tensor(0.5)}},
        "optimizer_states": [{"state": {}, "param_groups": [{"lr": 1e-5}]}],
        "lr_schedulers": [],
        "hyper_parameters": {"model": "roberta-base", "using_pretrained": True},
    }
    path = folder / "tiny.ckpt"
    torch.save(checkpoint, path)
    return path
