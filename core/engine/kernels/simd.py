"""Eight numbers at once: the registers of the processor, spelled out.

A loop over a dozen topics is too short for the compiler to find its vectors by itself: it asks
before each one whether the arrays overlap. Kernels that add up rows of topics say instead which
eight numbers they load, and sums stay in registers until they are stored. Rows are padded to
``LANES`` columns, the new ones zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, models, register_model

from core.engine.kernels.threads import each_part, row_blocks

LANES = 8
instruction: Any = intrinsic  # what it makes is called from compiled code only
FLAGS = ("contract", "reassoc", "nsz")


class Lanes(types.Type):
    """Eight numbers of one kind."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"Lanes({dtype})")


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        super().__init__(manager, lanes, ir.VectorType(_number(lanes.dtype), LANES))


def _number(dtype: Any) -> Any:
    return ir.FloatType() if dtype == types.float32 else ir.DoubleType()


def _place(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """A pointer to the eight numbers of a contiguous array that begin at (row, column)."""
    array = context.make_array(signature.args[0])(context, builder, values[0])
    width = cgutils.unpack_tuple(builder, array.shape)[1]
    first = builder.gep(array.data, [builder.add(builder.mul(values[1], width), values[2])])
    return builder.bitcast(
        first, ir.VectorType(_number(signature.args[0].dtype), LANES).as_pointer()
    )


@instruction
def load(_typing, array, row, column):  # type: ignore[no-untyped-def]
    """``array[row, column : column + 8]``."""

    def build(context, builder, signature, values):  # type: ignore[no-untyped-def]
        loaded = builder.load(_place(context, builder, signature, values))
        loaded.align = signature.args[0].dtype.bitwidth // 8
        return loaded

    return Lanes(array.dtype)(array, types.intp, types.intp), build


@instruction
def store(_typing, array, row, column, lanes):  # type: ignore[no-untyped-def]
    """``array[row, column : column + 8] = lanes``."""

    def build(context, builder, signature, values):  # type: ignore[no-untyped-def]
        stored = builder.store(values[3], _place(context, builder, signature, values))
        stored.align = signature.args[0].dtype.bitwidth // 8
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp, lanes), build


@instruction
def splat(_typing, number):  # type: ignore[no-untyped-def]
    """The same number eight times."""

    def build(_context, builder, _signature, values):  # type: ignore[no-untyped-def]
        kind = ir.VectorType(values[0].type, LANES)
        nothing, first = ir.Constant(kind, ir.Undefined), ir.Constant(ir.IntType(32), 0)
        one = builder.insert_element(nothing, values[0], first)
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(one, nothing, everywhere)

    return Lanes(number)(number), build


@instruction
def add_product(_typing, total, one, other):  # type: ignore[no-untyped-def]
    """``total + one * other``, in one instruction."""

    def build(_context, builder, _signature, values):  # type: ignore[no-untyped-def]
        return builder.fadd(builder.fmul(values[1], values[2], flags=FLAGS), values[0], flags=FLAGS)

    return total(total, one, other), build


@instruction
def summed(_typing, lanes):  # type: ignore[no-untyped-def]
    """The sum of the eight."""

    def build(_context, builder, signature, values):  # type: ignore[no-untyped-def]
        number = values[0].type.element
        name = f"llvm.vector.reduce.fadd.v{LANES}f{signature.return_type.bitwidth}"
        kind = ir.FunctionType(number, [number, values[0].type])
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        return builder.call(function, [ir.Constant(number, 0.0), values[0]], fastmath=FLAGS)

    return lanes.dtype(lanes), build


@instruction
def running_sums(_typing, lanes):  # type: ignore[no-untyped-def]
    """The first, the first two, … all eight added up: three shuffles instead of eight additions."""

    def build(_context, builder, _signature, values):  # type: ignore[no-untyped-def]
        total = values[0]
        zeros = ir.Constant(total.type, [0.0] * LANES)
        for step in (1, 2, 4):
            places = [LANES + at if at < step else at - step for at in range(LANES)]
            places = ir.Constant(ir.VectorType(ir.IntType(32), LANES), places)
            shifted = builder.shuffle_vector(total, zeros, places)
            total = builder.fadd(total, shifted)
        return total

    return lanes(lanes), build


@instruction
def how_many_up_to(_typing, lanes, number):  # type: ignore[no-untyped-def]
    """How many of the eight are at most ``number``."""

    def build(context, builder, _signature, values):  # type: ignore[no-untyped-def]
        kind, place = values[0].type, ir.Constant(ir.IntType(32), 0)
        one = builder.insert_element(ir.Constant(kind, ir.Undefined), values[1], place)
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        limit = builder.shuffle_vector(one, ir.Constant(kind, ir.Undefined), everywhere)
        bits = builder.bitcast(builder.fcmp_ordered("<=", values[0], limit), ir.IntType(LANES))
        return builder.zext(builder.ctpop(bits), context.get_value_type(types.intp))

    return types.intp(lanes, lanes.dtype), build


def padded_width(columns: int) -> int:
    return -(-columns // LANES) * LANES


def padded(factor: np.ndarray) -> np.ndarray:
    """A contiguous copy with a multiple of eight columns, the new ones zero."""
    rows, columns = factor.shape
    out = np.empty((rows, padded_width(columns)), factor.dtype)

    def work(first: int, last: int) -> None:
        out[first:last, :columns] = factor[first:last]
        out[first:last, columns:] = 0

    each_part(work, row_blocks(rows))
    return out
