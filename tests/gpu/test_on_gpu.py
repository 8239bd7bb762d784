"""What a real GPU computes: a processor's numbers to five digits, the same in any company."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tools.tiny.alignscore import WORDS, save_alignscore
from tools.tiny.shapes import Shape, save_encoder

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import UnusableModel
from medassay.metrics import resolve
from medassay.models import ModelSetup, use_models
from medassay.models.device import Gpu, device_facts
from medassay.models.encoders import load_encoder
from medassay.models.encoders.load import GpuEncoder
from medassay.models.nli.alignscore import AlignScore, Texts
from medassay.models.nli.model_judge import TorchPairs
from medassay.scores import Score

pytestmark = pytest.mark.gpu

torch: Any = import_module("torch")
SHAPES = {
    "bert": Shape("BertConfig", 3, 128, 4),
    "roberta": Shape(
        "RobertaConfig", 3, 128, 4, {"max_position_embeddings": 514, "pad_token_id": 1}
    ),
    "deberta": Shape(
        "DebertaConfig", 3, 128, 4,
        {"relative_attention": True, "pos_att_type": ["c2p", "p2c"], "type_vocab_size": 0},
    ),
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def gpu() -> str:
    if not torch.cuda.is_available():
        pytest.fail(f"these tests need a GPU: torch {torch.__version__} can use none here")
    return str(device_facts("cuda", "a test")["device"])


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models")
    for name, shape in SHAPES.items():
        (path / name).mkdir()
        save_encoder(path / name, shape, [" ".join(WORDS)], 600)
    (path / "align").mkdir()
    save_alignscore(path / "align")
    return path


def setup(home: Path, device: str) -> ModelSetup:
    return ModelSetup(
        folders={name: str(home / name) for name in (*SHAPES, "align")}, device=device
    )


def rows(count: int, length: int, seed: int = 1) -> list[tuple[int, ...]]:
    numbers = np.random.default_rng(seed).integers(5, 300, (count, length))
    return [(0, *map(int, row), 2) for row in numbers]


@pytest.mark.parametrize("name", SHAPES)
def test_states_are_a_processor_s_to_five_digits(home: Path, name: str) -> None:
    states = []
    for device in ("cpu", "cuda"):
        with use_models(setup(home, device)):
            encoder = load_encoder(name, purpose="a test")
            states.append([encoder.states([row]) for n in (1, 14, 130, 510) for row in rows(2, n)])
    for of_cpu, of_gpu in zip(*states, strict=True):
        assert np.abs(of_cpu - of_gpu).max() < 1e-5 * max(1, np.abs(of_cpu).max())


@pytest.mark.parametrize("name", SHAPES)
def test_a_text_has_the_same_bytes_in_any_company(home: Path, name: str) -> None:
    with use_models(setup(home, "cuda")):
        encoder = load_encoder(name, purpose="a test")
    assert isinstance(encoder, GpuEncoder)
    many = [row for n in (1, 7, 13, 30, 130, 130, 133, 510) for row in rows(40, n, seed=n)]
    together = dict(encoder.in_batches(many))
    backwards = dict(encoder.in_batches(many[::-1]))
    for place in range(0, len(many), 7):
        alone = dict(encoder.in_batches([many[place]]))[0]
        assert alone.tobytes() == together[place].tobytes()
        assert alone.tobytes() == backwards[len(many) - 1 - place].tobytes()


def test_bertscore_and_alignscore_agree_with_a_processor_and_say_where_they_ran(
    home: Path, gpu: str
) -> None:
    rng = np.random.default_rng(1)
    said = [" ".join(rng.choice(WORDS, 40)) + "." for _ in range(40)]
    pairs = [
        (
            Case.model_validate({"case": f"q{i}", "references": [{"text": said[i]}]}),
            Answer(system="a", case=f"q{i}", text=said[i + 20]),
        )
        for i in range(20)
    ]
    for metric in (
        "bertscore_f1(ref=human,model=roberta,layer=2)",
        "alignscore(backbone=align,model=align,ref=human,sentences=rule)",
    ):
        values, made_by = [], []
        for device in ("cpu", "cuda", "cuda:0"):
            with use_models(setup(home, device)):
                scorer = resolve(metric)
                scores = scorer.score_batch(pairs)
                values.append([s.value for s in scores if isinstance(s, Score)])
                made_by.append(scorer.made_by)
                told = scorer.signature.settings.get("device")
                assert told == (None if device == "cpu" else gpu)
        assert len(values[0]) == len(pairs)
        assert values[1] == values[2]
        assert values[1] == pytest.approx(values[0], abs=1e-5)
        assert made_by[0] != made_by[1] == made_by[2]


def test_pairs_have_the_same_bytes_in_any_company(home: Path, tmp_path: Path) -> None:
    transformers: Any = import_module("transformers")
    config = transformers.AutoConfig.from_pretrained(home / "roberta", num_labels=3)
    transformers.AutoModelForSequenceClassification.from_config(config).save_pretrained(tmp_path)
    transformers.AutoTokenizer.from_pretrained(home / "roberta").save_pretrained(tmp_path)
    rng = np.random.default_rng(2)
    pairs = [
        (" ".join(rng.choice(WORDS, n)), " ".join(rng.choice(WORDS, 9))) for n in range(1, 90, 3)
    ]
    model = TorchPairs(tmp_path, "cuda")
    together = model.read(pairs).logits
    assert np.array_equal(together[::-1], model.read(pairs[::-1]).logits)
    assert np.array_equal(together[11], model.read(pairs[11:12]).logits[0])
    assert together == pytest.approx(TorchPairs(tmp_path).read(pairs).logits, abs=1e-5)
    with use_models(setup(home, "cuda")):
        texts = [Texts(a, (a,), b, (b,)) for a, b in pairs]
        aligner = AlignScore("align", "align")
        alone = aligner.score(texts[11:12], "nli")
    with use_models(setup(home, "cuda")):
        assert AlignScore("align", "align").score(texts, "nli")[11] == alone[0]


@pytest.fixture
def choices() -> Iterator[None]:
    """Choose what the process's owner might have chosen, and look that it stands afterwards."""
    torch.set_float32_matmul_precision("medium")
    yield
    assert torch.get_float32_matmul_precision() == "medium"
    assert not torch.are_deterministic_algorithms_enabled()
    torch.set_float32_matmul_precision("highest")


@pytest.mark.usefixtures("choices")
def test_products_are_in_single_precision_whatever_the_process_has_chosen() -> None:
    random = torch.Generator().manual_seed(1)
    left, right = (torch.randn(512, 512, generator=random) for _ in range(2))
    on_gpu = Gpu(torch, "cuda", "a test")
    with on_gpu.exactly():
        product = (left.cuda() @ right.cuda()).cpu()
    exact = left.double() @ right.double()
    assert float((product - exact).abs().max()) < 2e-4  # TF32 is off by some 3e-2 here
    rounded = (left.cuda() @ right.cuda()).cpu()
    assert float((rounded - exact).abs().max()) > 2e-3  # so the bound above tells them apart


def test_a_gpu_that_is_too_small_says_what_to_try() -> None:
    whole = torch.cuda.mem_get_info("cuda")[1]
    on_gpu = Gpu(torch, "cuda", "some model")
    words = r"room for some model .* GiB are free.*nvidia-smi"
    with pytest.raises(UnusableModel, match=words), on_gpu.exactly():
        torch.empty(2 * whole, dtype=torch.uint8, device="cuda")


def test_a_number_beyond_the_last_gpu_is_refused() -> None:
    count = torch.cuda.device_count()
    with pytest.raises(UnusableModel, match=rf"must name a GPU .*\(cuda:{count}\); got {count} of"):
        device_facts(f"cuda:{count}", "a test")
