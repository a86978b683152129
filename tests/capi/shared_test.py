#!/usr/bin/python3 -B
"""libtrammel.so from Python's ctypes: a box comes to rest on the floor; only the C interface is shown."""
import ctypes
import subprocess
import sys
import unittest

LIBRARY = sys.argv.pop()
SCENE = b"""
format = 1
[simulation]
duration = "1 s"
step = "1 ms"
[[contact]]
friction = 0.5
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "box"
mass = "2 kg"
box = ["20 cm", "20 cm", "10 cm"]
position = [0, 0, "5 cm"]
contact = "solids"
"""


class Contact(ctypes.Structure):
    _fields_ = [("a", ctypes.c_int), ("b", ctypes.c_int), ("position", ctypes.c_double * 3),
                ("normal", ctypes.c_double * 3), ("force", ctypes.c_double * 3), ("gap", ctypes.c_double)]


class SharedLibrary(unittest.TestCase):
    def setUp(self):
        self.lib = lib = ctypes.CDLL(LIBRARY)
        lib.trammel_error.restype = lib.trammel_version.restype = lib.trammel_name.restype = ctypes.c_char_p
        lib.trammel_time.restype = ctypes.c_double
        lib.trammel_new.restype = ctypes.c_void_p
        self.run_ = ctypes.c_void_p(lib.trammel_new())

    def tearDown(self):
        self.lib.trammel_free(self.run_)

    def check(self, status):
        self.assertEqual(status, 0, self.lib.trammel_error(self.run_))

    def test_runs_a_scene(self):
        lib, run = self.lib, self.run_
        self.check(lib.trammel_load_text(run, SCENE, b"box.toml"))
        self.assertEqual(lib.trammel_name(run, 0, 0), b"box")
        self.check(lib.trammel_advance(run, ctypes.c_long(200)))
        self.assertAlmostEqual(lib.trammel_time(run), 0.2, 12)
        pose = (ctypes.c_double * 7)()
        self.check(lib.trammel_pose(run, 0, pose))
        self.assertAlmostEqual(pose[2], 0.05, 6)

    def test_contact_points_carry_the_weight(self):
        lib, run = self.lib, self.run_
        self.check(lib.trammel_load_text(run, SCENE, b"box.toml"))
        self.check(lib.trammel_advance(run, ctypes.c_long(200)))
        points, n = (Contact * 16)(), ctypes.c_int()
        self.check(lib.trammel_contacts(run, 0, points, 16, ctypes.byref(n)))
        self.assertEqual(n.value, 4)
        up = sum(p.force[2] for p in points[:n.value])
        self.assertAlmostEqual(up, 2 * 9.81, 5)
        for p in points[:n.value]:
            self.assertEqual((p.a, p.b), (-1, 0))
            self.assertAlmostEqual(p.normal[2], 1, 12)
        self.check(lib.trammel_contacts(run, -1, None, 0, ctypes.byref(n)))
        self.assertEqual(n.value, 4)
        self.assertEqual(lib.trammel_contacts(run, 7, points, 16, ctypes.byref(n)), 1)

    def test_problems_of_a_scene_are_told(self):
        self.assertEqual(self.lib.trammel_load_text(self.run_, b"format = 1\n[[bod]]\n", b"bad.toml"), 2)
        self.assertIn(b"bad.toml:2", self.lib.trammel_error(self.run_))

    def test_shows_the_c_interface_alone(self):
        shown = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
        names = {line.split()[-1].split("@")[0] for line in shown.splitlines()} - {"TRAMMEL_0.1"}
        self.assertIn("trammel_advance", names)
        self.assertEqual([n for n in names if not n.startswith("trammel_")], [])

    def test_its_name_has_the_version(self):
        said = subprocess.run(["objdump", "-p", LIBRARY], capture_output=True, text=True, check=True).stdout
        version = ".".join(self.lib.trammel_version().decode().split(".")[:2])
        self.assertRegex(said, rf"SONAME +libtrammel\.so\.{version}\n")


if __name__ == "__main__":
    unittest.main()
