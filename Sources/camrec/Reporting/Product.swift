/// camrec itself.
enum Product {
  static let version = "0.2.0"
}
