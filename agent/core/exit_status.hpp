#pragma once

namespace tunekeeper {

/// What the program tells its caller; the meanings are part of the command-line contract (docs/commands.md).
enum class ExitStatus : int {
  ok = 0,               ///< in sync, applied, nothing to do
  error = 1,            ///< an error, or a failed row; the host is unchanged
  differs = 2,          ///< something differs (or, on request, something was changed)
  pending = 3,          ///< right on disk, awaiting a reload, restart, reboot or module
  undone = 4,           ///< the apply failed, all of it was undone
  undo_incomplete = 6,  ///< the apply failed and so did the undo: a person is needed
  usage = 64,           ///< EX_USAGE
  invalid = 65,         ///< EX_DATAERR: an invalid profile or configuration
  busy = 75,            ///< EX_TEMPFAIL: locked or held
  denied = 77,          ///< EX_NOPERM: a write was denied for want of root
  interrupted = 130,    ///< a signal came, and all was undone
};

}  // namespace tunekeeper
