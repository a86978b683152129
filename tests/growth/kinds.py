"""Scenes of n elements of one kind, all else small: kind(n) gives a scene's text."""

STEPS = 20


def scene(*parts, formulation="velocity", step="1 ms", duration=f"{STEPS} ms", more=""):
    head = (f'format = 1\n[simulation]\nduration = "{duration}"\nstep = "{step}"\n'
            f'output_step = "{duration}"\nformulation = "{formulation}"\n{more}\n')
    return head + "\n".join(parts)


def ball(name, x=0.0, z=0.0, more=""):
    return f'[[body]]\nname = "{name}"\nmass = 1\nsphere = 0.1\nposition = [{x}, 0, {z}]\n{more}\n'


def joint(name, kind, a, b, x=0.0, z=0.0, axis="[0, 1, 0]", more=""):
    on = f'a = "{a}"\n' if a else ""
    turn = f"axis = {axis}\n" if kind in ("revolute", "prismatic") else ""
    return f'[[joint]]\nname = "{name}"\ntype = "{kind}"\n{on}b = "{b}"\nat = [{x}, 0, {z}]\n{turn}{more}\n'


def element(kind, **keys):
    def text(v):
        return v if isinstance(v, str) and v[:1] in "[{" else f'"{v}"' if isinstance(v, str) else str(v)
    return f"[[{kind}]]\n" + "".join(f"{k} = {text(v)}\n" for k, v in keys.items() if v is not None)


def pendulums(n, law=None, formulation="velocity"):
    parts = []
    for i in range(n):
        parts += [ball(f"b{i}", x=3.0 * i + 1), joint(f"j{i}", "revolute", "", f"b{i}", x=3.0 * i)]
        if law:
            parts.append(element("law", name=f"l{i}", joint=f"j{i}", **law))
    return scene(*parts, formulation=formulation)


def chain(n, kind="revolute", formulation="velocity", law=None, body=""):
    parts = []
    for i in range(n):
        parts += [ball(f"b{i}", x=i + 0.5, more=body),
                  joint(f"j{i}", kind, f"b{i - 1}" if i else "", f"b{i}", x=float(i))]
        if law:
            parts.append(element("law", name=f"l{i}", joint=f"j{i}", **law))
    return scene(*parts, formulation=formulation)


def star(n):
    arms = [ball(f"b{i}", x=1 + i % 7, z=1 + i // 7) + joint(f"j{i}", "spherical", "hub", f"b{i}", x=1 + i % 7)
            for i in range(n)]
    return scene(ball("hub"), *arms)


def springs(n, formulation="velocity", **more):
    """Together as stiff for every n: else steps follow the stiffness."""
    keys = {"type": "spring", "stiffness": 1e4 / n, "damping": 100 / n, **more}
    laws = [element("law", name=f"s{i}", b="hub", at_a=f"[{1 + i % 7}, {2 + i // 49}, {1 + i // 7 % 7}]",
                    at_b="[0, 0, 0.05]", **keys) for i in range(n)]
    return scene(ball("hub"), *laws, formulation=formulation)


def loads(n, **keys):
    return scene(ball("hub"), *(element("load", name=f"f{i}", body="hub", **keys) for i in range(n)))


def gears(n):
    parts = [ball("w0"), joint("j0", "revolute", "", "w0")]
    for i in range(1, n):
        parts += [ball(f"w{i}", x=float(i)), joint(f"j{i}", "revolute", "", f"w{i}", x=float(i)),
                  element("coupling", name=f"g{i}", type="gear", of=f'["j{i - 1}.angle", "j{i}.angle"]',
                          teeth="[20, 21]")]
    return scene(*parts)


def touching(n, formulation="velocity", gap=0.0):
    balls = [ball(f"b{i}", x=0.3 * (i % 100), z=0.1 + gap, more=f'contact = "solids"\n').replace(
        f", 0, {0.1 + gap}]", f", {0.3 * (i // 100)}, {0.1 + gap}]") for i in range(n)]
    return scene('[[obstacle]]\nhalf_space = [0, 0, 1]\n', *balls, formulation=formulation)


def boxes(n):
    body = [f'[[body]]\nname = "b{i}"\nmass = 1\nbox = [0.2, 0.2, 0.2]\ncontact = "solids"\n'
            f'position = [{0.5 * (i % 50)}, {0.5 * (i // 50)}, 0.1]\n' for i in range(n)]
    return scene('[[obstacle]]\nhalf_space = [0, 0, 1]\n[[contact]]\nfriction = 0.5\n', *body)


def field(n):
    side = max(2, round(n**0.5))
    row = "[" + ", ".join(["0"] * side) + "]"
    values = "[" + ", ".join([row] * side) + "]"
    return scene(ball("b", z=0.1, more='contact = "solids"'),
                 f"[[obstacle]]\nposition = [{-0.05 * side}, {-0.05 * side}, 0]\nheights = {{spacing = 0.1, values = {values}}}\n")


def line(n, points=1):
    plan = ", ".join(f'{{line = 30}}, {{clothoid = 20}}, {{arc = 40, radius = {300 - 600 * (i % 2)}}}, {{clothoid = 20}}' for i in range(n))
    wagons = [f'[[body]]\nname = "w{i}"\nmass = 1000\nsphere = 1\non_track = {{track = "t", s = {5 + i / 2}, speed = 20}}\n'
              + element("joint", name=f"r{i}", type="track", b=f"w{i}", track="t") for i in range(points)]
    return scene(f'[[track]]\nname = "t"\nplan = [{plan}]\n', *wagons)


def signals(n):
    time = ", ".join(str(i * 1e-3) for i in range(n))
    value = ", ".join(str(i % 2) for i in range(n))
    return scene(ball("b"), joint("j", "prismatic", "", "b"), f'[[law]]\nname = "f"\ntype = "actuator"\njoint = "j"\n'
                 f'force = {{time = [{time}], value = [{value}]}}\n')


def probes(n):
    return scene(ball("b"), *(element("probe", name=f"p{i}", body="b", point=f"[0, 0, {i}]") for i in range(n)))


def sensors(n):
    return scene(ball("b"), joint("j", "revolute", "", "b", x=1),
                 *(element("sensor", name=f"s{i}", formula=f"{i + 1}*j.angle") for i in range(n)))


def parameters(n):
    names = "[parameters]\np0 = 1\n" + "".join(f'p{i} = "p{(i - 1) // 200 * 200} + 1"\n' for i in range(1, n))
    return "format = 1\n" + names + scene(ball("b"))[len("format = 1\n"):]


def repeated(n):
    return scene(f'[[repeat]]\ncount = {n}\n[[repeat.body]]\nname = "b{{i}}"\nmass = 1\nsphere = 0.1\nposition = ["i", 0, 0]\n')


def parts(n):
    first = '[[part]]\nname = "p0"\n[[part.body]]\nname = "b"\nmass = 1\nsphere = 0.1\n'
    return scene(first, *(f'[[part]]\nname = "p{i}"\nlike = "p0"\nposition = [{i}, 0, 0]\n' for i in range(1, n)))


def systems(n):
    return scene(*(f'[[system]]\nname = "s{i}"\ncoordinate = [{{name = "a", unit = "rad", value = 1}}]\n'
                   f'object = [{{name = "bob", mass = 1, position = ["{i} m + 1 [m]*sin(a)", 0, "-1 [m]*cos(a)"]}}]\n' for i in range(n)))


def obstacles(n):
    many = (element("obstacle", name=f"o{i}", sphere=0.1, position=f"[{i}, 0, 0]") for i in range(n))
    return scene(ball("b", z=0.21, more='contact = "solids"'), *many)


def materials(n):
    """n materials with a law each, every one on a ball of its own."""
    many = (element("material", name=f"m{i}") + f'[[contact]]\nbetween = ["m{i}", "default"]\nfriction = 0.{i % 9}\n'
            f'[[body]]\nname = "b{i}"\nmass = 1\nsphere = 0.1\nposition = [{0.3 * i}, 0, 0.1]\n'
            f'[[body.contact]]\nsphere = 0.1\nmaterial = "m{i}"\n' for i in range(n))
    return scene('[[obstacle]]\nhalf_space = [0, 0, 1]\n', *many)


def couples_of(kind, n):
    """Balls side by side, of which pairs are named that touch (though a joint holds them) or never do."""
    balls = [ball(f"b{i}", x=0.2 * i + i // 2, more='contact = "solids"') for i in range(n)]
    if kind == "contact_pair":
        balls += [joint(f"j{i}", "revolute", f"b{i}", f"b{i + 1}", x=0.2 * i + i // 2) for i in range(0, n - 1, 2)]
    return scene(*balls, *(element(kind, between=f'["b{i}", "b{i + 1}"]') for i in range(0, n - 1, 2)))


def solids(n):
    many = "".join(f"[[body.solids]]\nsphere = 0.1\nmass = 1\nposition = [{i}, 0, 0]\n" for i in range(n))
    return scene(f'[[body]]\nname = "b"\n{many}')


def beside(n, kind, **keys):
    """A pendulum with n elements of a kind in which {i} is their number."""
    def filled(v, i):
        return v.replace("{i}", str(i)) if isinstance(v, str) else v
    many = (element(kind, name=f"{kind}{i}", **{k: filled(v, i) for k, v in keys.items()}) for i in range(n))
    return scene(ball("b"), joint("j", "revolute", "", "b", x=1), *many)


def bouncing(n):
    """n balls which impact at moments of their own."""
    balls = [ball(f"b{i}", x=0.3 * i, z=0.1 + 0.001 * i / n, more='contact = "solids"\nvelocity = [0, 0, -0.1]')
             for i in range(n)]
    return scene('[[obstacle]]\nhalf_space = [0, 0, 1]\n[[contact]]\nrestitution = 0.5\n', *balls)


def frames(n):
    return scene(ball("b"), joint("j", "revolute", "", "b", x=1), duration=f"{n} ms").replace(
        f'output_step = "{n} ms"', 'output_step = "1 ms"')


VELOCITY = {
    "bodies, free": (lambda n: scene(*(ball(f"b{i}", x=i) for i in range(n))), 20000),
    "bodies, affine, free": (lambda n: scene(*(ball(f"b{i}", x=i, more='kind = "affine"') for i in range(n))), 8000),
    "links of a chain": (chain, 16000),
    "links on one body": (star, 600),
    "pendulums": (pendulums, 16000),
    "springs on joints of a chain": (lambda n: chain(n, law={"type": "spring", "stiffness": 10, "damping": 1}), 8000),
    "limits": (lambda n: pendulums(n, {"type": "limit", "from": -1, "to": 1}), 8000),
    "friction": (lambda n: pendulums(n, {"type": "friction", "force": 1}), 8000),
    "friction by load": (lambda n: pendulums(n, {"type": "load-friction", "mu": 0.2, "radius": 0.01}), 4000),
    "motors": (lambda n: pendulums(n, {"type": "motor", "velocity": 1, "force_min": -9, "force_max": 9}), 8000),
    "drives": (lambda n: pendulums(n, {"type": "driven", "velocity": 1}), 8000),
    "springs on one body": (springs, 400),
    "springs of a formula on one body": (lambda n: springs(n, function=f"-{1e4 / n} [N/m^3]*x^3 - {100 / n} [N s/m]*v", stiffness=None, damping=None), 500),
    "ropes on one body": (lambda n: springs(n, type="limit", to=1e9, stiffness=None, damping=None), 500),
    "loads on one body": (lambda n: loads(n, type="force", force="[1, 0, 0]"), 20000),
    "loads of a formula on one body": (lambda n: loads(n, type="formula", force='["1 [N]*sin(1 [1/s]*t)", "-1 [N s/m]*vx", 0]'), 4000),
    "gears in a row": (gears, 6000),
    "balls that rest": (touching, 8000),
    "boxes that rest": (boxes, 2000),
    "balls that bounce": (bouncing, 4000),
    "cells of a field of heights": (field, 250000),
    "pieces of a track": (line, 8000),
    "points on a track": (lambda n: line(n // 4 + 2, n), 8000),
    "knots of a signal": (signals, 200000),
    "probes": (probes, 8000),
    "sensors": (sensors, 4000),
    "parameters": (parameters, 8000),
    "turns of a repetition": (repeated, 16000),
    "parts": (parts, 4000),
    "systems": (systems, 500),
    "frames of results": (frames, 20000),
    "obstacles": (obstacles, 8000),
    "materials": (materials, 2000),
    "pairs that touch": (lambda n: couples_of("contact_pair", n), 4000),
    "pairs that do not": (lambda n: couples_of("no_contact", n), 4000),
    "solids of a body": (solids, 8000),
    "scenery": (lambda n: beside(n, "scenery", box="[1, 1, 1]", position="[{i}, 0, 0]"), 16000),
    "inputs": (lambda n: beside(n, "input", rest=1), 8000),
    "controllers": (lambda n: beside(n, "controller", type="pid", period="1 ms", measure="j.angle", target="{i} rad", kp="1 1/rad"), 2000),
    "events": (lambda n: beside(n, "sensor", formula="j.angle + {i} [rad]", events='[{at = "0.1 rad"}]'), 4000),
    "plots": (lambda n: beside(n, "plot", y='["j.angle"]'), 8000),
    "prescribed bodies": (lambda n: scene(*(f'[[body]]\nname = "b{i}"\nkind = "prescribed"\ndisplacement = [{{velocity = {i}}}, 0, 0]\n' for i in range(n))), 4000),
}
OTHER = {
    "acceleration: bodies, free": (lambda n: scene(*(ball(f"b{i}", x=i) for i in range(n)), formulation="acceleration"), 1000),
    "acceleration: links of a chain": (lambda n: chain(n, formulation="acceleration"), 500),
    "acceleration: springs on one body": (lambda n: springs(n, formulation="acceleration"), 500),
    "acceleration: balls that rest": (lambda n: touching(n, formulation="acceleration"), 200),
    "energy: bodies, free": (lambda n: scene(*(ball(f"b{i}", x=i) for i in range(n)), formulation="energy"), 1000),
    "energy: links of a chain": (lambda n: chain(n, formulation="energy"), 500),
    "energy: springs on one body": (lambda n: springs(n, formulation="energy"), 500),
    "energy: balls that rest": (lambda n: touching(n, formulation="energy", gap=2e-3), 200),
}
EXPORTS = {
    "export as CSV, frames": ["-o", "motion.csv"],
    "export as JSON, frames": ["--json", "-o", "motion.json"],
    "export as glTF, frames": ["-o", "motion.glb"],
    "export to VTK, frames": ["--to", "vtk", "-o", "motion_vtk"],
}
