import Testing
import WharfChecks

@testable import WharfDLNA

@Suite struct SearchAnswerTests {
    private func answer(_ text: String) -> SearchAnswer? { SearchAnswer(Datagram(Array(text.utf8))) }

    @Test func searchRequestHasTheFormOfTheUPnPArchitecture() {
        let text = String(decoding: SearchRequest(longestWait: 2).datagram, as: UTF8.self)
        #expect(
            text == "M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMAN: \"ssdp:discover\"\r\nMX: 2\r\n"
                + "ST: urn:schemas-upnp-org:device:MediaRenderer:1\r\n\r\n")
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=1800\r\nEXT:\r\nLOCATION: http://a:1/d.xml\r\nST: urn:schemas-upnp-org:device:MediaRenderer:1\r\nUSN: uuid:1::x\r\n\r\n",
        "http/1.0 200 fine\nlocation :http://a:1/d.xml  \nusn:\tuuid:1::x\n",
        "HTTP/1.1  200\r\nLocation:   http://a:1/d.xml\r\nUsn: uuid:1::x",
        "HTTP/1.1 200 OK\r\nLOCATION: http://a:1/d.xml\r\nLOCATION: http://b/\r\nrubbish\r\n: none\r\nUSN: uuid:1::x\r\n\r\n",
    ])
    func answersAreReadInAnyCaseAndWhitespace(text: String) {
        #expect(answer(text)?.location == "http://a:1/d.xml")
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 404 No\r\nLOCATION: http://a/\r\n",
        "NOTIFY * HTTP/1.1\r\nLOCATION: http://a/\r\n",
        "HTTP/1.1 200 OK\r\nLOCATION: \r\n", "HTTP/1.1 200 OK\r\nLOCATION: http://a/\r\nST: upnp:rootdevice\r\n",
    ])
    func answerWithoutARendererIsNil(text: String) {
        #expect(answer(text) == nil)
    }

    @Test func anyBytesAreAnAnswerOrNone() async throws {
        let piece = Generator<String>.oneOf(
            .element(of: ["HTTP/1.1 200 OK", "\r\n", "LOCATION", ":", " ", "http://a/", "USN", "ST", "\n", "\r"]),
            .string(count: 0...4))
        try await forAll(.array(of: piece), runs: 2_000) { pieces in
            let found = answer(pieces.joined())
            try require(found.map { !$0.location.isEmpty } ?? true, "\(found as Any)")
        }
    }
}
