"""A trained model folder in the three ways in which people deploy: a folder for claimx, a spaCy package, a Hugging Face
style folder. Each is read back and must say what the model says before it is called written."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from claimx.errors import ModelError
from claimx.extract.model import CONFIG_FILE, META_FILE, MODEL_FILE, TOKENIZER_FILE, default_path, load_model

#: The files of a model folder, in the order in which they are described.
FILES = (MODEL_FILE, TOKENIZER_FILE, CONFIG_FILE, META_FILE, "README.md")
#: Replies on which a package must agree with the model that it was made from.
PROBES = (
    "I've refunded $64.00 for order #4821 and e-mailed Ana Lima the confirmation.",
    "The appointment on May 3 has been moved to 14:30. Shall I cancel the old one? I could not reach the clinic.",
    "- ✅ 3 files uploaded\n- ❌ deploy failed\nNext I'll rerun `make test`.",
)


def folder_of(model: str | Path) -> Path:
    """Path of a model folder, 'default' meaning the shipped one; raise ModelError where there is none."""
    folder = default_path() if str(model) == "default" else Path(model)
    if not (folder / CONFIG_FILE).is_file():
        raise ModelError(f"{folder} is no model folder: it has no {CONFIG_FILE}")
    return folder


def name_of(name: str) -> str:
    """A name that may stand in a package's name; raise ModelError on one that may not."""
    made = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    if not made or made[0].isdigit():
        raise ModelError(f"{name!r} cannot name a package: give --name with letters, digits and _, a letter first")
    return made


def to_folder(model: Path, out: Path, *, int8: bool = True) -> Path:
    """Write a model folder without what training left in it; `int8` False writes floating-point weights instead."""
    out.mkdir(parents=True, exist_ok=True)
    if int8:
        for name in FILES:
            if (model / name).is_file() and model.resolve() != out.resolve():
                shutil.copy2(model / name, out / name)
        _check(model, out)
        return out
    from claimx.training.export import export
    from claimx.training.weights import trainable

    source = load_model(model)
    export(
        trainable(model, attention="eager"), (model / TOKENIZER_FILE).read_text(encoding="utf-8"), out, int8=False,
        calibration=source.calibration, texts=PROBES, meta=source.meta,
    )  # fmt: skip
    if (model / "README.md").is_file() and model.resolve() != out.resolve():
        shutil.copy2(model / "README.md", out / "README.md")
    return out


def to_spacy(model: Path, out: Path, *, name: str, version: str, wheel: bool = False) -> Path:
    """Write an installable spaCy package `en_claimx_<name>` with spaCy's own packager; return its folder.

    `wheel` also builds a wheel into its `dist`, which needs the package build.
    """
    import tempfile

    import spacy
    from spacy.cli.package import package

    import claimx.extract.component

    nlp = spacy.blank("en")
    component: Any = nlp.add_pipe("claimx")
    component.from_disk(model)
    component.path = None
    source = load_model(model)
    nlp.meta.update(
        name=f"claimx_{name}", version=version, license="Apache-2.0",
        description="Actions that an agent's reply mentions, with tense, modality, actor and values (claimx).",
        requirements=[f"claimx>={claimx.__version__}"], performance=_performance(source.meta),
    )  # fmt: skip
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        pipeline = Path(scratch) / "pipeline"
        nlp.to_disk(pipeline)
        package(
            pipeline, out, name=f"claimx_{name}", version=version, create_sdist=False, create_wheel=wheel, force=True,
            silent=True,
        )  # fmt: skip
    made = out / f"en_claimx_{name}-{version}"
    _check(model, made / f"en_claimx_{name}" / made.name / "claimx")
    return made


def _performance(meta: dict[str, Any]) -> dict[str, float]:
    return {k: v for k, v in meta.get("validation", {}).items() if isinstance(v, float)}


def to_huggingface(model: Path, out: Path) -> Path:
    """Write a Hugging Face style folder: AutoConfig, AutoTokenizer and AutoModel (the encoder) read it, and so does claimx.

    The encoder is model.safetensors, the heads heads.safetensors, the graph model.onnx; config.json serves both readers.
    """
    from claimx.training.export import encoder_config
    from claimx.training.tokenizer import SPECIAL
    from claimx.training.weights import HEADS_FILE, WEIGHTS_FILE, trainable
    from safetensors.torch import save_file
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

    to_folder(model, out)
    tagger = trainable(model)
    state = {k: v.contiguous() for k, v in tagger.state_dict().items()}
    encoder = {k.removeprefix("encoder."): v for k, v in state.items() if k.startswith("encoder.")}
    save_file(encoder, out / WEIGHTS_FILE, metadata={"format": "pt"})
    save_file(
        {k: v for k, v in state.items() if not k.startswith("encoder.")}, out / HEADS_FILE, metadata={"format": "pt"}
    )
    config = json.loads((out / CONFIG_FILE).read_text(encoding="utf-8"))
    shape = encoder_config(tagger)
    labels = {str(i): tag for i, tag in enumerate(config["tags"])}
    joined = {
        **shape, "architectures": [type(tagger.encoder).__name__], "id2label": labels,
        "label2id": {v: int(k) for k, v in labels.items()}, **config, "encoder": shape,
    }  # fmt: skip
    (out / CONFIG_FILE).write_text(json.dumps(joined, indent=1) + "\n", encoding="utf-8")
    text = (model / TOKENIZER_FILE).read_text(encoding="utf-8")
    backend = Tokenizer.from_str(text)
    names = next(n for n in SPECIAL if all(backend.token_to_id(t) is not None for t in n))
    unknown, pad = ("[UNK]", "[PAD]") if names[0] == "[CLS]" else ("<unk>", "<pad>")
    PreTrainedTokenizerFast(
        tokenizer_object=backend, cls_token=names[0], sep_token=names[1], mask_token=names[2], unk_token=unknown,
        pad_token=pad, model_max_length=512,
    ).save_pretrained(out)  # fmt: skip
    (out / TOKENIZER_FILE).write_text(text, encoding="utf-8")
    _check(model, out)
    return out


def _check(model: Path, made: Path) -> None:
    """Raise ModelError unless both folders read the probes alike."""
    from claimx.extract.reading import read

    ours, theirs = load_model(model), load_model(made)
    for text in PROBES:
        if read(ours, text) != read(theirs, text):
            raise ModelError(f"{made} reads {text!r} in another way than {model}: it is not to be used")
