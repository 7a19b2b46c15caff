extension String {
    /// Creates a string from ASCII bytes, without a second check if the standard library allows it.
    ///
    /// - Parameter start: `count` initialised bytes, all below 0x80. They are copied.
    @inlinable @inline(__always) init(ascii start: UnsafePointer<UInt8>, count: Int) {
        let bytes = UnsafeBufferPointer(start: start, count: count)
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            // Unchecked, as the caller has checked that every byte is below 0x80. The span does not
            // outlive this call.
            self.init(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: true))
        } else {
            self.init(decoding: bytes, as: UTF8.self)
        }
    }

    /// Creates a string from bytes that are valid UTF-8.
    @inlinable @inline(__always) init(validUTF8 start: UnsafePointer<UInt8>, count: Int) {
        let bytes = UnsafeBufferPointer(start: start, count: count)
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            // Unchecked, as the caller has checked it by `UTF8Check`, which is at least as strict.
            // The span does not outlive this call.
            self.init(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: false))
        } else {
            self.init(decoding: bytes, as: UTF8.self)
        }
    }
}
