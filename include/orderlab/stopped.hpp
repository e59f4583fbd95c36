// What ends work that someone stops.
#pragma once

namespace orderlab {

/// Thrown by work that is stopped before it has anything to return. No std::exception, so that nothing takes it for an
/// error: whoever began the work catches it, and says what was finished.
struct Stopped {};

}  // namespace orderlab
