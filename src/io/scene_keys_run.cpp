// How a scene is run, and what is recorded and drawn of it.
#include "io/scene_forms.h"

namespace trammel::io {

using namespace forms;
using namespace units;

const Family& simulation_family() {
  static const Family f{
      "simulation",
      "How long, how fine, and by which method.",
      {{"",
        "",
        {
            {"duration", above(0, quantity(kTime)), "10 s",
             "of the run, at most 1e12 steps; the last one is as long as is left"},
            {"step", above(0, quantity(kTime)), "1 ms", "of the integration"},
            {"output_step", above(0, quantity(kTime)), "",
             "between results, a multiple of the step; else about a five hundredth of the "
             "duration"},
            {"checkpoint_interval", above(0, or_infinite(quantity(kTime))), "10 s",
             "of the wall clock between checkpoints"},
            {"checkpoint_steps", above(0, or_infinite(quantity(kRatio))), "inf",
             "and steps between them, a whole number"},
            {"gravity", quantity(kAcceleration), "9.81 m/s^2", "downwards, along -z"},
            {"gravity", vector(kAcceleration), "", "or in world axes"},
            {"formulation", text({"velocity", "acceleration", "energy"}), "velocity",
             "when laws are enforced: velocity: by impulses over steps of one length; "
             "acceleration: by forces, with methods of high order; energy: by the minimum of "
             "a potential over each step, with joints that may be soft"},
            {"method", text({"rk4", "dp5", "dp8"}), "dp8",
             "of acceleration: Runge-Kutta of order 4 on the steps given, Dormand-Prince of "
             "order 5 or 8 on as many as the accuracy asks for"},
            {"accuracy", above(0, quantity(kRatio)), "1e-9",
             "of dp5 and dp8: error allowed in a step of theirs: of angles [rad]; of lengths and "
             "speeds, as shares of the mechanism's length and speed (accuracy.md, \"Scales\"); of "
             "speeds also as a share of themselves"},
            {"alpha", above(0, quantity(kFrequency)), "",
             "of acceleration: Baumgarte's damping of the rows instead of projection"},
            {"beta", above(0, quantity(kFrequency)), "",
             "of acceleration: Baumgarte's way back of the rows: they are pulled by beta "
             "squared times their error"},
            {"difference", text({"bdf1", "bdf2", "midpoint"}), "bdf2",
             "of energy: bdf1: first order, damps strongly; bdf2: second order, damps what "
             "is fast; midpoint: second order, damps nothing"},
            {"joint_stiffness", above(0, or_infinite(quantity(kForce / kLength))), "1 GN/m",
             "of energy: of the joints; inf: they hold, by their rows"},
            {"joint_length", above(0, quantity(kLength)), "",
             "of energy: what makes the joints' angles comparable with lengths; else of each "
             "joint the radius of gyration of its lesser body"},
            {"gamma", above(0, quantity(kRatio)), "",
             "of energy: joints as published, of stiffness gamma times the masses at both "
             "ends over the squared step, one metre for lengths"},
            {"scheme", text({"rattle", "baumgarte"}), "rattle",
             "rattle: second order, rows and their rates held to rounding; baumgarte: the "
             "classical first-order form"},
            {"order", integer({"2", "4"}), "2",
             "of rattle; 4 by composition, where nothing dissipates"},
            {"erp", above(0, up_to(1, quantity(kRatio))), "0.2",
             "of baumgarte: share of the position error taken back in a step"},
            {"tolerance", above(0, quantity(kLength)), "",
             "of position rows, of rattle and energy: stated, neither lengths [m] nor angles [rad] "
             "are further off; by default 1e-12 of the mechanism's length (accuracy.md, "
             "\"Scales\"), and 1e-12 rad"},
            {"impacts", text({"simultaneous", "sequential"}), "simultaneous",
             "of contacts, by velocity and acceleration. simultaneous: all that touch are solved "
             "for at once; sequential: one pair of bodies after the other, the fastest first"},
            {"contact_solver", text({"automatic", "sweeps", "newton"}), "automatic",
             "of contacts by impulses: sweeps: block Gauss-Seidel, what stays in touch of first "
             "order; newton: projected Newton on the sparse factor; automatic: sweeps, Newton "
             "where these do not do, in islands of up to 600 points, then further sweeps"},
            {"contact_sweeps", above(0, quantity(kRatio)), "200",
             "of it, in a stage at most, a whole number"},
            {"contact_tolerance", above(0, quantity(kSpeed)), "",
             "of it: error of the law at a point, as a speed [m/s]; by default 1e-9 of the "
             "mechanism's speed (accuracy.md, \"Scales\")"},
            {"assemble", flag(), "false",
             "move the bodies at the start so that the frames of joints meet"},
            {"equilibrium", flag(), "false",
             "start where forces balance, at rest: all coordinates without start and rate"},
            {"equilibrium", list(name_of(Refers::coordinate)), "",
             "or these, as \"joint.coordinate\", the others held"},
            {"frame_tolerance", above(0, quantity(kLength)), "",
             "how far frames may be apart where they are not assembled [m, rad]; by default 1e-6, "
             "but of lengths at most 1e-3 and at least 1e-12 of the mechanism's length "
             "(accuracy.md, \"Scales\")"},
        },
        {}}}};
  return f;
}

const Family& probe_family() {
  static const Family f = named("probe", "A place whose motion is recorded.",
                                {{"",
                                  "",
                                  {
                                      name_key("probe"),
                                      {"body", name_of(Refers::body), kNeeded, "its name"},
                                      {"point", vector(kLength), "[0, 0, 0]", "in the body frame"},
                                      {"axes", name_of(Refers::body), "world",
                                       "that numbers are along: of the world, or of a body"},
                                      {"relative_to", name_of(Refers::body), "",
                                       "a body from which the motion is seen; else the world"},
                                  },
                                  {}}});
  return f;
}

const Family& plot_family() {
  static const Family f = named("plot", "A picture of the results.",
                                {{"",
                                  "",
                                  {
                                      name_key("plot"),
                                      {"title", name_of(Refers::words), "", "over the picture"},
                                      {"x", name_of(Refers::channel), "time", "channel along x"},
                                      {"y", list(name_of(Refers::channel)), kNeeded,
                                       "a panel each; several channels in one panel: \"a, b\""},
                                  },
                                  {}}});
  return f;
}

}  // namespace trammel::io
