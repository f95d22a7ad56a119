"""Hugging Face's Transformer-XL with our weights: an implementation that is not ours.

`TransfoXLModel` stacks q, k, v in one matrix, has u and v in every layer, works time-major, and
takes the memory length from its configuration.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import torch
from torch import Tensor

from xlexplain.model.transformer_xl import TransformerXL

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from transformers import TransfoXLConfig, TransfoXLModel


@dataclass(frozen=True)
class Theirs:
    """Their model, carrying our weights."""

    model: TransfoXLModel

    def __call__(self, ids: Tensor, memory: list[Tensor] | None) -> tuple[Tensor, list[Tensor]]:
        """ids (B, L) → hidden states (B, L, C) and the memory for the next call."""
        if memory is None:  # left to itself, their model would attend to M states of zeros
            C, layer_count = self.model.config.d_model, self.model.config.n_layer
            memory = [torch.empty(0, len(ids), C) for _ in range(layer_count)]
        out = self.model(ids, mems=memory)
        return out.last_hidden_state, out.mems


def with_our_weights(ours: TransformerXL, *, memory_length: int) -> Theirs:
    """Their model of the same sizes with the same weights, in evaluation mode."""
    config = ours.config
    theirs = TransfoXLModel(
        TransfoXLConfig(
            vocab_size=config.vocab_size,
            cutoffs=[],
            d_model=config.d_model,
            d_embed=config.d_model,
            n_head=config.n_head,
            d_head=config.d_head,
            d_inner=config.d_inner,
            n_layer=config.n_layer,
            mem_len=memory_length,
            clamp_len=-1,
            same_length=False,
            div_val=1,
            adaptive=False,
            dropout=0.0,
            dropatt=0.0,
        )
    )
    state = {"word_emb.emb_layers.0.weight": ours.embedding.weight}
    for number, layer in enumerate(ours.layers):
        attention, prefix = layer.attention, f"layers.{number}."
        qkv = torch.cat([attention.query.weight, attention.key_value.weight])
        state |= {
            f"{prefix}dec_attn.qkv_net.weight": qkv,
            f"{prefix}dec_attn.r_net.weight": attention.relative_key.weight,
            f"{prefix}dec_attn.o_net.weight": attention.output.weight,
            f"{prefix}dec_attn.r_w_bias": ours.u,
            f"{prefix}dec_attn.r_r_bias": ours.v,
            f"{prefix}dec_attn.layer_norm.weight": layer.attention_norm.weight,
            f"{prefix}dec_attn.layer_norm.bias": layer.attention_norm.bias,
            f"{prefix}pos_ff.CoreNet.0.weight": layer.feed_in.weight,
            f"{prefix}pos_ff.CoreNet.0.bias": layer.feed_in.bias,
            f"{prefix}pos_ff.CoreNet.3.weight": layer.feed_out.weight,
            f"{prefix}pos_ff.CoreNet.3.bias": layer.feed_out.bias,
            f"{prefix}pos_ff.layer_norm.weight": layer.feed_norm.weight,
            f"{prefix}pos_ff.layer_norm.bias": layer.feed_norm.bias,
        }
    missing, unexpected = theirs.load_state_dict(
        {name: tensor.detach() for name, tensor in state.items()}, strict=False
    )
    untouched = [name for name in missing if not name.endswith("inv_freq")]
    if untouched or unexpected:
        raise ValueError(f"weights do not match: {untouched} missing, {unexpected} unexpected")
    return Theirs(theirs.eval())
