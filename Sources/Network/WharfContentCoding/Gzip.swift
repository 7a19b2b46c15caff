internal import CContentCoding

/// The content coding gzip of request bodies (RFC 1952).
package enum Gzip {
    /// Encodes a body. Equal bodies have equal encodings.
    ///
    /// - Returns: nil without memory, or if the body has more than 1 GiB.
    package static func encode(_ bytes: [UInt8]) -> [UInt8]? {
        let bound = wharf_gzip_bound(bytes.count)
        guard bound > 0 else { return nil }
        let encoded = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            count = bytes.withUnsafeBufferPointer { input in
                // The bound is the most that the encoding needs, so the output always fits.
                wharf_gzip(input.baseAddress, input.count, output.baseAddress, bound)
            }
        }
        // Even the encoding of an empty body has a header, so no bytes mean a failure.
        return encoded.isEmpty ? nil : encoded
    }
}
