#!/usr/bin/python3
"""Reads what 'trammel export --to vtk' wrote with VTK itself, and holds each corner against the results.

vtk_read.py TRAMMEL RESULTS FOLDER RUN.glb: corners in the frames of their bodies are those of the glTF of the same run, places and
affine matrices those of the results. Exits with 1 where something differs, with 77 where there is no python3-vtk9.
"""
import json
import struct
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

try:
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
except ImportError:
    print("there is no python3-vtk9")
    sys.exit(77)


def read(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def channels_of(trammel, results):
    said = subprocess.run([trammel, "export", results, "--to", "json"], capture_output=True, text=True, check=True)
    return {c["name"]: c["values"] for c in json.loads(said.stdout)["channels"]}


def corners_of(glb):
    """Of each body, in its frame."""
    data = Path(glb).read_bytes()
    size = struct.unpack("<I", data[12:16])[0]
    text, numbers = json.loads(data[20 : 20 + size]), data[28 + size :]

    def points(index):
        accessor = text["accessors"][index]
        view = text["bufferViews"][accessor["bufferView"]]
        return np.frombuffer(numbers, "<f4", 3 * accessor["count"], view["byteOffset"]).reshape(-1, 3)

    return {
        node["name"]: np.concatenate([points(p["attributes"]["POSITION"]) for p in text["meshes"][node["mesh"]]["primitives"]])
        for node in text["nodes"]
        if "mesh" in node and node["name"] != "still"
    }


def matrix_of(channels, body, frame):
    """A of x = p + A X."""
    if f"{body}.affine.xx" in channels:
        return np.array([[channels[f"{body}.affine.{i}{j}"][frame] for j in "xyz"] for i in "xyz"])
    w, x, y, z = (channels[f"{body}.orientation.{a}"][frame] for a in "wxyz")
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def main(trammel, results, folder, glb):
    channels, corners = channels_of(trammel, results), corners_of(glb)
    sets = [s for s in xml.parse(Path(folder) / "run.pvd").iter("DataSet") if s.get("part") == "0"]
    worst, strained, count, size = 0.0, 0.0, 0, 1.0
    for s in sets:
        data = read(Path(folder) / s.get("file"))
        frame = channels["time"].index(float(s.get("timestep")))
        places = vtk_to_numpy(data.GetPoints().GetData()).astype(float)
        body, strain = (vtk_to_numpy(data.GetCellData().GetArray(name)) for name in ("body", "strain"))
        names = data.GetFieldData().GetAbstractArray("names")
        at = 0
        for i, name in enumerate(names.GetValue(k) for k in range(names.GetNumberOfTuples())):
            own = corners.get(name, np.zeros((0, 3))).astype(float)
            A = matrix_of(channels, name, frame)
            wanted = own @ A.T + [channels[f"{name}.position.{a}"][frame] for a in "xyz"]
            worst = max(worst, np.abs(places[at : at + len(own)] - wanted).max(initial=0))
            strained = max(strained, np.abs(strain[body == i] - np.linalg.norm(A.T @ A - np.eye(3))).max(initial=0))
            size = max(size, np.abs(wanted).max(initial=0))
            at, count = at + len(own), count + len(own)
        if at != len(places):
            print(f"{s.get('file')}: {len(places)} corners, the bodies have {at}")
            return 1
    print(f"{len(sets)} frames, {count} corners where the results have them, within {worst:.2g} m; strains within {strained:.2g}")
    return 0 if count and worst < 4e-7 * size and strained < 1e-6 else 1  # rounding to 32 bits


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
