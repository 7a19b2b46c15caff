extension String {
    /// Bytes that are known to be ASCII, not checked a second time where the standard library can
    /// do without.
    ///
    /// - Parameter start: `count` initialised bytes, all below 0x80. They are copied.
    @inlinable @inline(__always) init(ascii start: UnsafePointer<UInt8>, count: Int) {
        let bytes = UnsafeBufferPointer(start: start, count: count)
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            // Checked by the caller: every byte is below 0x80. The span does not outlive this call.
            self.init(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: true))
        } else {
            self.init(decoding: bytes, as: UTF8.self)
        }
    }

    /// Bytes that are known to be UTF-8.
    @inlinable @inline(__always) init(validUTF8 start: UnsafePointer<UInt8>, count: Int) {
        let bytes = UnsafeBufferPointer(start: start, count: count)
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            // Checked by the caller with `UTF8Check`, which is at least as strict. The span does
            // not outlive this call.
            self.init(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: false))
        } else {
            self.init(decoding: bytes, as: UTF8.self)
        }
    }
}
