"""What is packed for the browser, read by an independent reader."""

import json
import struct

import numpy as np


def unpack(block):
    (length,) = struct.unpack_from("<I", block)
    start = -(-(4 + length) // 8) * 8

    def array(value):
        if "$array" not in value:
            return value
        kind, offset, shape = value["$array"]
        assert offset % 8 == 0
        count = int(np.prod(shape))
        flat = np.frombuffer(block, np.dtype(kind).newbyteorder("<"), count, start + offset)
        return flat.reshape(shape)

    return json.loads(block[4 : 4 + length], object_hook=array)
