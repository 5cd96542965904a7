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
  /// `start` takes `at`.
  case startAt
}
