/* The C interface from C: an arm of two rods is loaded, moved, driven and asked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capi/trammel.h"

static const char* const kScene =
    "format = 1\n"
    "[simulation]\n"
    "duration = 1\n"
    "step = '1 ms'\n"
    "[[body]]\n"
    "name = 'upper'\n"
    "mass = 2\n"
    "inertia = [0.09, 0.09, 0.01, 0, 0, 0]\n"
    "position = [0, 0, -0.35]\n"
    "[[body]]\n"
    "name = 'lower'\n"
    "mass = 3\n"
    "inertia = [0.31, 0.31, 0.01, 0, 0, 0]\n"
    "position = [0, 0, -1.25]\n"
    "[[joint]]\n"
    "name = 'top'\n"
    "type = 'revolute'\n"
    "b = 'upper'\n"
    "at = [0, 0, 0]\n"
    "axis = [0, 1, 0]\n"
    "[[joint]]\n"
    "name = 'knee'\n"
    "type = 'revolute'\n"
    "a = 'upper'\n"
    "b = 'lower'\n"
    "at = [0, 0, -0.7]\n"
    "axis = [0, 1, 0]\n"
    "[[law]]\n"
    "name = 'spring'\n"
    "type = 'spring'\n"
    "joint = 'knee'\n"
    "stiffness = 4\n"
    "[[input]]\n"
    "name = 'lift'\n"
    "unit = 'N m'\n"
    "to = '20 N m'\n"
    "[[law]]\n"
    "name = 'motor'\n"
    "type = 'actuator'\n"
    "joint = 'top'\n"
    "force = 'lift'\n";

static int failures = 0;

static void expect(int good, const char* what, const trammel_run* run) {
  if (good) return;
  ++failures;
  fprintf(stderr, "%s: %s\n", what, trammel_error(run));
}

static int near(double a, double b, double within) { return fabs(a - b) <= within; }

static void wrong_use(trammel_run* run) {
  double x[7];
  expect(trammel_advance(run, 1) == TRAMMEL_WRONG, "no scene", run);
  expect(trammel_load_text(run, "format = 1\n[[bod]]\n", "bad.toml") == TRAMMEL_SCENE, "bad", run);
  expect(strstr(trammel_error(run), "bad.toml:2") != NULL, "its place", run);
  expect(trammel_load_file(run, NULL) == TRAMMEL_WRONG, "no path", run);
  expect(trammel_pose(NULL, 0, x) == TRAMMEL_WRONG, "no run", run);
}

static void names(trammel_run* run) {
  expect(trammel_count(run, TRAMMEL_BODIES) == 2, "bodies", run);
  expect(strcmp(trammel_name(run, TRAMMEL_COORDINATES, 1), "knee.angle") == 0, "name", run);
  expect(trammel_name(run, TRAMMEL_LAWS, 2) == NULL, "no such law", run);
  expect(trammel_find(run, TRAMMEL_BODIES, "lowr") == -1, "no such body", run);
  expect(strcmp(trammel_error(run), "there is no 'lowr'; did you mean 'lower'?") == 0, "text", run);
}

/* The double pendulum on paper, as in src/sim/dynamics_test.cpp. */
static void dynamics(trammel_run* run) {
  const double y[2] = {0.4, 0.9}, v[2] = {1, -2}, a[2] = {3, -1}, p[3] = {0, 0, -0.55};
  double M[4], tau[2], back[2], J[12], x = 2310e-3 * cos(0.9) / 2, now, rate;
  expect(trammel_move(run, y, v) == TRAMMEL_OK, "move", run);
  expect(trammel_coordinate(run, 1, &now, &rate) == TRAMMEL_OK, "coordinate", run);
  expect(near(now, 0.9, 1e-12) && near(rate, -2, 1e-12), "where it was moved to", run);
  expect(trammel_chosen(run, NULL) == 2, "two coordinates", run);
  expect(trammel_mass_matrix(run, M) == TRAMMEL_OK, "mass matrix", run);
  expect(near(M[3], 0.31 + 3 * 0.3025, 1e-12) && near(M[1], M[3] + x, 1e-12), "its numbers", run);
  expect(trammel_inverse_dynamics(run, a, tau) == TRAMMEL_OK, "inverse", run);
  expect(trammel_forward_dynamics(run, tau, back) == TRAMMEL_OK, "forward", run);
  expect(near(back[0], a[0], 1e-9) && near(back[1], a[1], 1e-9), "there and back", run);
  expect(trammel_jacobian(run, 1, p, J) == TRAMMEL_OK, "jacobian", run);
  expect(near(J[8], 1, 1e-12) && near(J[9], 1, 1e-12), "both turn the rod about y", run);
}

static void running(trammel_run* run) {
  double X[7], later[7], again[7], w[6], energy, off, value;
  const int mass = trammel_find(run, TRAMMEL_PARAMETERS, "body.lower.mass");
  const int lift = trammel_find(run, TRAMMEL_INPUTS, "lift");
  size_t size;
  void* state;
  expect(trammel_reset(run) == TRAMMEL_OK && trammel_time(run) == 0, "reset", run);
  expect(trammel_advance(run, 100) == TRAMMEL_OK, "steps", run);
  expect(near(trammel_time(run), 0.1, 1e-12), "time", run);
  size = trammel_get_state(run, NULL, 0);
  state = malloc(size);
  trammel_get_state(run, state, size);
  expect(trammel_advance(run, 50) == TRAMMEL_OK && trammel_pose(run, 1, later) == 0, "on", run);
  expect(trammel_set_state(run, state, size) == TRAMMEL_OK, "state", run);
  expect(trammel_advance(run, 50) == TRAMMEL_OK && trammel_pose(run, 1, again) == 0, "again", run);
  expect(memcmp(later, again, sizeof later) == 0, "bit for bit", run);
  expect(trammel_set_state(run, "nonsense", 8) == TRAMMEL_WRONG, "no state", run);
  expect(trammel_set_parameter(run, mass, 4) == TRAMMEL_OK, "mass", run);
  expect(trammel_get_parameter(run, mass, &value) == TRAMMEL_OK && value == 4, "as set", run);
  expect(trammel_set_parameter(run, mass, -1) == TRAMMEL_WRONG, "no mass", run);
  expect(trammel_set_state(run, state, size) == TRAMMEL_WRONG, "of another mass", run);
  expect(trammel_reset(run) == TRAMMEL_OK && trammel_advance(run, 10) == TRAMMEL_OK, "heavy", run);
  expect(trammel_reaction(run, 0, w) == TRAMMEL_OK, "reaction", run);
  expect(near(sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), 6 * 9.81, 0.1), "its weight", run);
  expect(trammel_velocity(run, 0, w) == TRAMMEL_OK && trammel_force(run, 0, w) == 0, "reads", run);
  expect(trammel_set_input(run, lift, 5) == TRAMMEL_OK, "input", run);
  expect(trammel_get_input(run, lift, &value) == TRAMMEL_OK && value == 5, "as given", run);
  expect(trammel_advance(run, 10) == TRAMMEL_OK && trammel_force(run, 1, &value) == TRAMMEL_OK,
         "driven", run);
  expect(near(value, 5, 1e-12), "its torque", run);
  expect(trammel_set_input(run, lift, 25) == TRAMMEL_WRONG, "outside its range", run);
  expect(trammel_set_input(run, 1, 0) == TRAMMEL_WRONG, "no such input", run);
  expect(trammel_energy(run, &energy, &off) == TRAMMEL_OK && fabs(off) < 1e-9, "energy", run);
  expect(trammel_pose(run, 7, X) == TRAMMEL_WRONG, "no such body", run);
  expect(strcmp(trammel_warnings(run), "") == 0, "no warnings", run);
  expect(trammel_advance(run, 2000) == TRAMMEL_END, "the end", run);
  free(state);
}

int main(void) {
  trammel_run* run = trammel_new();
  wrong_use(run);
  expect(trammel_load_text(run, kScene, "rods.toml") == TRAMMEL_OK, "scene", run);
  names(run);
  dynamics(run);
  running(run);
  trammel_free(run);
  trammel_free(NULL);
  if (failures == 0) printf("trammel %s from C: all as expected\n", trammel_version());
  return failures != 0;
}
