public import Frames
public import RecorderAPI

/// A remote of one recorder, whatever carries its requests.
///
/// Its calls block: a command has nothing else to do, a test calls them in its order, and a server has a thread for
/// each recorder that hands the updates on to its own tasks.
///
/// Thread: any.
public protocol RecorderClient: AnyObject, Sendable {
  /// Sends a request and waits until it has been carried out.
  ///
  /// - Returns: the recorder's state afterwards.
  /// - Throws: the recorder's refusal, with its code, and with field and reason if the recorder tells them; code
  ///   `device` if the recorder goes away meanwhile, or hangs.
  @discardableResult
  func perform(_ request: ControlRequest) throws(CamrecError) -> RecorderState

  /// What can be set now, and to what. Waits for the camera.
  ///
  /// - Throws: code `usage` if the recorder is too old to say, code `device` if its camera does not answer, or the
  ///   recorder goes away meanwhile.
  func controls() throws(CamrecError) -> [ControlDescription]

  /// The recorder's state now and whenever it changes.
  ///
  /// - Parameter generation: that of the state that the caller has: if the recorder's is the same, the first update is
  ///   the next one. `nil`: the caller has none, and the first update is a whole state, at once.
  /// - Throws: code `device` if the recorder goes away meanwhile; its refusal.
  func updates(after generation: Int?) throws(CamrecError) -> any RecorderUpdates
}

/// The states of a recorder, one after another. Whoever is slow misses some, and none of the latest.
///
/// Thread: `next` one at a time; `end` any.
public protocol RecorderUpdates: AnyObject, Sendable {
  /// Waits for the next update: what has changed since the one before, or a whole state where some were missed.
  ///
  /// - Returns: `nil` after `end`, and once the recorder has ended.
  /// - Throws: code `device` if the connection breaks; why the recorder has ended it.
  func next() throws(CamrecError) -> StateUpdate?

  /// Ends a wait that is under way; there are no more updates.
  func end()
}

extension RecorderClient {
  /// Calls `body` with the state, now and after each change, until it returns false or the recorder ends.
  public func watch(_ body: (RecorderState) throws -> Bool) throws {
    let updates = try updates(after: nil)
    defer { updates.end() }
    var known: StateUpdate?
    while let update = try updates.next() {
      known = update.applied(to: known)
      if let known, try !body(known.values) { return }
    }
  }
}
