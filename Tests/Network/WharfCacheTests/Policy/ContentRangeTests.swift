import Testing
import WharfCache
import WharfCore

/// RFC 9110 §14.4.
@Suite struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-1/10", ContentRange(0..<2, of: 10)), ("Bytes 9-9/10", ContentRange(9..<10, of: 10)),
            ("bytes 0-9/10", ContentRange(0..<10, of: 10)),
            ("bytes 0-9223372036854775806/9223372036854775807", ContentRange(0..<(.max), of: .max)),
        ])
    func validValueIsAPlace(text: String, place: ContentRange) {
        #expect(ContentRange(text) == place)
        #expect(ContentRange(place.fieldValue) == place)
        #expect(place.isWhole == (place.bytes == 0..<place.length))
    }

    @Test(arguments: [
        "bytes */10", "bytes 0-1/*", "bytes 2-1/10", "bytes 0-10/10", "bytes 0-1/1", "bytes 0-/10", "bytes -1/10",
        "bytes=0-1/10", "lines 0-1/10", "bytes 0-1/10, bytes 2-3/10", "bytes 0-1/99999999999999999999", "bytes +0-1/10",
        "bytes  0-1/10", "bytes 0-1", "bytes", "", "bytes 0-1/10/10", "bytes 0-1-2/10", "bytes ١-٢/10",
    ])
    func otherValueIsNoPlace(text: String) { #expect(ContentRange(text) == nil) }

    @Test(
        arguments: [
            (206, [.contentRange: "bytes 0-1/10", .contentLength: "2"], true),
            (206, [.contentRange: "bytes 0-1/10", .contentLength: "2, 2"], true),
            // Five bytes are not those from 4 to 9: it is unclear which ones they are.
            (206, [.contentRange: "bytes 4-9/10", .contentLength: "5"], false),
            (206, [.contentRange: "bytes 0-1/10"], false),
            (206, [.contentLength: "2"], false),
            (200, [.contentRange: "bytes 0-1/10", .contentLength: "2"], false),
            (
                206,
                [
                    .contentRange: "bytes 0-1/10", .contentLength: "2",
                    .contentType: "Multipart/Byteranges; boundary=a",
                ], false
            ),
        ] as [(Int, HTTPFields, Bool)])
    func responseHasAPlaceIfItsBytesAreKnown(status: Int, fields: HTTPFields, hasPlace: Bool) {
        let response = HTTPResponse(status: .init(code: status), headerFields: fields)
        #expect((response.contentRange != nil) == hasPlace)
    }
}
