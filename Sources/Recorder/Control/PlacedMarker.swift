package import RecorderAPI

/// A marker and the file that has its frame.
package struct PlacedMarker: Hashable, Sendable {
  /// With its place in that file.
  package var marker: RecorderState.Marker
  /// The file's path.
  package var film: String
  package var identity: RecordingIdentity
  /// The file's number in its recording, from 1.
  package var number: Int
}
