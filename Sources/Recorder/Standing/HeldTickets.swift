import Sidecar

/// The tickets of the frames that a pre-roll keeps, in order.
struct HeldTickets {
  private var tickets: [FrameTicket] = []
  private var firstTicket = 0

  /// More than ten minutes of any camera. If a pre-roll's memory is too small for a group of pictures, the oldest
  /// tickets are dropped.
  private static let most = 1 << 17
  /// Dropped tickets before the list is rebuilt.
  private static let room = 1024

  var count: Int { tickets.count - firstTicket }
  var first: FrameTicket? { firstTicket < tickets.count ? tickets[firstTicket] : nil }
  var all: ArraySlice<FrameTicket> { tickets[firstTicket...] }

  mutating func append(_ ticket: FrameTicket) {
    if count == HeldTickets.most { dropFirst() }
    tickets.append(ticket)
  }

  /// Drops the tickets before `ticks`.
  mutating func forget(before ticks: Int64) {
    while let first, first.frame.ticks < ticks { dropFirst() }
  }

  private mutating func dropFirst() {
    firstTicket += 1
    guard firstTicket >= HeldTickets.room, firstTicket * 2 > tickets.count else { return }
    tickets.removeSubrange(..<firstTicket)
    firstTicket = 0
  }
}
