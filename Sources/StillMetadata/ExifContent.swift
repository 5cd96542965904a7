import CExif

extension UnsafeMutablePointer<ExifData> {
  /// The entries of one directory.
  func content(_ place: ExifIfd) -> UnsafeMutablePointer<ExifContent>? {
    withUnsafeBytes(of: &pointee.ifd) { raw in
      raw.bindMemory(to: UnsafeMutablePointer<ExifContent>?.self)[Int(place.rawValue)]
    }
  }
}

extension UnsafeMutablePointer<ExifContent> {
  /// Adds an entry.
  ///
  /// - Parameter count: values of the format in `bytes`.
  func add(_ tag: ExifTag, _ format: ExifFormat, _ bytes: [UInt8], count: Int) {
    // libexif frees an entry's bytes with the allocator that created the entry.
    guard let memory = exif_mem_new_default() else { return }
    defer { exif_mem_unref(memory) }
    guard let entry = exif_entry_new_mem(memory), let target = exif_mem_alloc(memory, ExifLong(bytes.count)) else {
      return
    }
    defer { exif_entry_unref(entry) }
    target.copyMemory(from: bytes, byteCount: bytes.count)
    entry.pointee.tag = tag
    entry.pointee.format = format
    entry.pointee.components = UInt(count)
    entry.pointee.size = UInt32(bytes.count)
    entry.pointee.data = target.assumingMemoryBound(to: UInt8.self)
    // The content keeps a reference of its own.
    exif_content_add_entry(self, entry)
  }
}
