// The algorithms over games whose rules are Python code.
#include "bindings/ops_of.h"

namespace dicezero {

const Ops& foreign_ops() {
  static const OpsOf<ForeignGame> ops;
  return ops;
}

}  // namespace dicezero
