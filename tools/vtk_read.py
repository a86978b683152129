#!/usr/bin/python3
"""Reads what 'trammel export --to vtk' wrote with VTK itself, and holds it against the results.

vtk_read.py TRAMMEL RESULTS FOLDER: exits with 1 where something differs, with 77 where there is no python3-vtk9.
"""
import json
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

try:
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


def turned(q, v):
    w, x, y, z = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[i] + w * t[i] + c for i, c in enumerate([y * t[2] - z * t[1], z * t[0] - x * t[2], x * t[1] - y * t[0]])]


def main(trammel, results, folder):
    said = subprocess.run([trammel, "export", results, "--to", "json"], capture_output=True, text=True, check=True)
    channels = {c["name"]: c["values"] for c in json.loads(said.stdout)["channels"]}
    sets = [s for s in xml.parse(Path(folder) / "run.pvd").iter("DataSet") if s.get("part") == "0"]
    first, worst, points = None, 0.0, 0
    for s in sets:
        data = read(Path(folder) / s.get("file"))
        names = [data.GetFieldData().GetAbstractArray("names").GetValue(i) for i in range(data.GetFieldData().GetAbstractArray("names").GetNumberOfTuples())]
        where, cells = vtk_to_numpy(data.GetPoints().GetData()), vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)
        body, strain = vtk_to_numpy(data.GetCellData().GetArray("body")), vtk_to_numpy(data.GetCellData().GetArray("strain"))
        frame = channels["time"].index(float(s.get("timestep")))
        for i, name in enumerate(names):
            mine = cells[body == i]
            if not len(mine) or strain[body == i].any() or any(f"{n}.strain.xx" in channels for n in [name]):
                continue
            p = [channels[f"{name}.position.{a}"][frame] for a in "xyz"]
            q = [channels[f"{name}.orientation.{a}"][frame] for a in "wxyz"]
            back = [turned([q[0], -q[1], -q[2], -q[3]], where[k] - p) for k in mine[:, 0][:50]]
            if first is None or name not in first:
                first = {**(first or {}), name: back}
            for was, now in zip(first[name], back):
                worst = max(worst, *(abs(a - b) for a, b in zip(was, now)))
                points += 1
    size = max(1.0, max(abs(x) for n, v in channels.items() if ".position." in n for x in v))
    print(f"{len(sets)} frames, {points} corners of bodies where the results have them, within {worst:.2g} m")
    return 0 if points and worst < 4e-7 * size else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
