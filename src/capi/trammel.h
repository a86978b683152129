#ifndef TRAMMEL_CAPI_H
#define TRAMMEL_CAPI_H

#include <stddef.h>

/**
 * Trammel for other languages (docs/c-interface.md): one opaque handle a run, flat arrays, SI
 * units, world axes. Nothing is global: two handles know nothing of each other and may be used by
 * two threads, one each.
 *
 * Functions return TRAMMEL_OK or say why not: trammel_error() then gives the text, and nothing has
 * changed. No exception comes across. Arrays that are filled have the size that is stated; a null
 * pointer is refused.
 */
#ifdef __cplusplus
extern "C" {
#endif

/* What the shared library shows; all else in it is hidden. */
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

typedef struct trammel_run trammel_run;

typedef enum trammel_status {
  TRAMMEL_OK = 0,
  TRAMMEL_WRONG = 1,  /* wrong use: a name, an index, a number */
  TRAMMEL_SCENE = 2,  /* problems of a scene, one a line in the text */
  TRAMMEL_FAILED = 3, /* a step could not be made; the state is the last good one */
  TRAMMEL_END = 4,    /* the run is over: steps up to there were made */
  TRAMMEL_BUG = 5     /* a fault of Trammel's own, or no memory */
} trammel_status;

/** Kinds of what has names and indices from 0 on. */
typedef enum trammel_kind {
  TRAMMEL_BODIES,
  TRAMMEL_JOINTS,
  TRAMMEL_COORDINATES, /* of joints, "joint.coordinate" */
  TRAMMEL_LAWS,
  TRAMMEL_PARAMETERS, /* "body.bob.mass", "gravity.z" */
  TRAMMEL_INPUTS
} trammel_kind;

/** "0.1.0". */
const char* trammel_version(void);

/** An empty run; null: there is no memory. trammel_free() takes null too. */
trammel_run* trammel_new(void);
void trammel_free(trammel_run* run);
/** The text of the last failure of a function on this run; "" where there was none. */
const char* trammel_error(const trammel_run* run);

/** Loads a scene in place of what the run had. `name` stands for the file in problems. */
trammel_status trammel_load_file(trammel_run* run, const char* path);
trammel_status trammel_load_text(trammel_run* run, const char* text, const char* name);

/** Names, which live until the next scene is loaded; null, 0 or -1 where there is none. */
int trammel_count(const trammel_run* run, trammel_kind kind);
const char* trammel_name(const trammel_run* run, trammel_kind kind, int index);
/** The index of a name; -1: trammel_error() says which is nearest. */
int trammel_find(trammel_run* run, trammel_kind kind, const char* name);

/** Makes so many steps of the scene's grid. */
trammel_status trammel_advance(trammel_run* run, long steps);
double trammel_time(const trammel_run* run); /* [s]; NaN without a scene */
double trammel_step(const trammel_run* run); /* of the grid [s] */
double trammel_end(const trammel_run* run);  /* [s] */

/** What is to be seen at the end of the last step. */
trammel_status trammel_pose(trammel_run* run, int body, double out[7]);     /* x y z; qw qx qy qz */
trammel_status trammel_velocity(trammel_run* run, int body, double out[6]); /* v of com; w */
trammel_status trammel_coordinate(trammel_run* run, int coordinate, double* value, double* rate);
trammel_status trammel_force(trammel_run* run, int law, double* out); /* mean of the step */
trammel_status trammel_reaction(trammel_run* run, int joint, double out[6]);

/** A point at which two bodies pushed each other in the last step, world axes, SI units. */
typedef struct trammel_contact {
  int a, b;           /* indices of bodies; -1: an obstacle or the ground */
  double position[3]; /* midway between the two surfaces [m] */
  double normal[3];   /* unit, from a to b */
  double force[3];    /* on b [N] */
  double gap;         /* [m]; negative: overlap */
} trammel_contact;

/**
 * Contact points of a body, which stands as `b` in each, so that forces are those on it; body = -1:
 * of all bodies. Writes as many as fit into `out` (`room` of them; null where room is 0) and gives
 * in `n` how many there are.
 */
trammel_status trammel_contacts(trammel_run* run, int body, trammel_contact* out, int room, int* n);

/** Total, and what of it the accounts do not explain [J]. */
trammel_status trammel_energy(trammel_run* run, double* total, double* imbalance);
/** Reasons not to trust the run so far, one a line, "" where there are none; until the next call.
 */
const char* trammel_warnings(trammel_run* run);

/**
 * The state as bytes, with all that the next step reads: setting it goes on bit for bit. They are
 * of this scene and of this version of the program. trammel_get_state() writes as many as fit and
 * gives the number that there are; 0: there is no scene.
 */
size_t trammel_get_state(trammel_run* run, void* out, size_t room);
trammel_status trammel_set_state(trammel_run* run, const void* bytes, size_t size);
/** Back to the start, with the parameters as they are. */
trammel_status trammel_reset(trammel_run* run);

/** Parameters; what cannot change without a new model is refused with the reason. */
trammel_status trammel_get_parameter(trammel_run* run, int parameter, double* value);
trammel_status trammel_set_parameter(trammel_run* run, int parameter, double value);

/**
 * Inputs of the scene, in SI units: numbers that the steps to come take wherever the scene names
 * them, as the force of an actuator, say. Outside an input's range, or given by a controller, it is
 * refused.
 */
trammel_status trammel_get_input(trammel_run* run, int input, double* value);
trammel_status trammel_set_input(trammel_run* run, int input, double value);

/**
 * Equations of motion, M y'' + h = tau, at the present state, in independent coordinates y: those
 * chosen here (n of them, by their indices), or the first independent ones. trammel_chosen() gives
 * how many there are and, where `out` is not null, which (room for as many as there are
 * coordinates).
 */
trammel_status trammel_choose(trammel_run* run, const int* coordinates, int n);
int trammel_chosen(trammel_run* run, int* out);
trammel_status trammel_mass_matrix(trammel_run* run, double* out); /* n x n */
trammel_status trammel_bias_force(trammel_run* run, double* out);  /* h: n */
trammel_status trammel_inverse_dynamics(trammel_run* run, const double* y_ddot, double* tau);
trammel_status trammel_forward_dynamics(trammel_run* run, const double* tau, double* y_ddot);
/** Of the point p (body frame) of a body: v then w, 6 rows of n numbers. */
trammel_status trammel_jacobian(trammel_run* run, int body, const double p[3], double* out);
/** Takes the mechanism to these coordinates and rates, along its rows. */
trammel_status trammel_move(trammel_run* run, const double* y, const double* y_dot);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
