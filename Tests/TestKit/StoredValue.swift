import Foundation

/// Values that are stored as JSON.
public enum StoredValue {
  /// The value as it is stored, and read again.
  public static func readBack<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode([Value].self, from: try JSONEncoder().encode([value]))[0]
  }

  /// The members in which an example is as usual. A test that allows none fails for a new member, until the example has
  /// it.
  public static func unchanged<Value>(_ example: Value, from usual: Value) -> [String] {
    zip(Mirror(reflecting: example).children, Mirror(reflecting: usual).children).compactMap { pair in
      "\(pair.0.value)" == "\(pair.1.value)" ? pair.0.label : nil
    }
  }
}
