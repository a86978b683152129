#pragma once

/// This process as the system sees it.
namespace trammel::bench {

double cpu_seconds();
/// Peak memory is counted from here on.
void reset_peak();
long peak_rss_kb();
long rss_kb();
/// Ends the process after so much CPU time, and refuses it memory that is not free now.
void limit(int seconds);

}  // namespace trammel::bench
