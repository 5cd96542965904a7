/// What a recorder can do beyond the first version of the protocol, by the names in its answer to a hello.
public enum ControlCapability: String, Hashable, Sendable, CaseIterable {
  /// `watch` takes `changes`.
  case changes
  /// There is a request `controls`.
  case controls
  /// `hello` takes `deadline`, and every request has one.
  case deadline
  /// `hello` takes `outOfOrder`.
  case outOfOrder
}

/// Why a request was refused, by names that stay the same. Most refusals have a code and a sentence only.
public enum RefusalReason: String, Hashable, Sendable, CaseIterable {
  /// The deadline has passed before the request was begun: nothing has changed.
  case busy
  /// The deadline has passed, and the recorder is still at it: what was asked for may still happen.
  case deadline
}
