#pragma once

#include "solve/graph.h"

/// Products with J and M^-1 over a graph, in linear time. Vectors of rows have n_rows numbers,
/// vectors of unknowns n_u.
namespace trammel::solve {

void add_transpose(const Graph& graph, const double* J, const double* x, double* f);  // f += J^T x
/// f += x J^T of one row of a group.
void add_transpose_row(const Graph& graph, int group, int row, const double* J, double x,
                       double* f);
void multiply(const Graph& graph, const double* J, const double* u, double* r);  // r = J u
void apply_inverse_mass(const Graph& graph, const double* inv_mass, const double* f,
                        double* u);  // u = M^-1 f; not in place

/// Returns J_i M^-1 J_i^T, what a unit of the row's impulse changes its rate by while nothing else
/// holds.
double inverse_mass_of_row(const Graph& graph, const double* J, const double* inv_mass, int row);
/// The same where its group is known, which else is looked for.
double inverse_mass_of_row(const Graph& graph, int group, int row, const double* J,
                           const double* inv_mass);
/// Returns the groups of rows, whose numbers rise.
void find_groups(const Graph& graph, std::span<const int> rows, std::vector<int>& groups);

}  // namespace trammel::solve
