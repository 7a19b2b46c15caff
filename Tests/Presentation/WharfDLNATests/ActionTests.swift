import Foundation
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPlayback

@testable import WharfDLNA

@Suite struct ActionTests {
    private func transport(_ answers: [StubAnswer]) throws -> (AVTransport, StubTransport) {
        let network = StubTransport(answers)
        let service = DeviceDescription.Service(
            type: "urn:schemas-upnp-org:service:AVTransport:1", control: try #require(URL(string: "http://a:1/c")))
        return (
            AVTransport(service: service, exchange: DeviceExchange(transport: network, timeout: .seconds(5))), network
        )
    }

    private func body(_ request: TransportRequest?) throws -> String {
        guard case .bytes(let bytes) = request?.body else { throw PlaybackError(.malformed, "no body") }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func anActionIsSOAPOverHTTP() async throws {
        let (transport, network) = try transport([Samples.answer("Seek", [:])])
        try await transport.seek(to: .seconds(3723))
        let request = try #require(network.requests.first)
        #expect(request.head.method == .post)
        #expect(request.head.headerFields[.contentType] == "text/xml; charset=\"utf-8\"")
        #expect(
            request.head.headerFields[try #require(.init("SOAPACTION"))]
                == "\"urn:schemas-upnp-org:service:AVTransport:1#Seek\"")
        #expect(
            try body(request).hasSuffix(
                "<s:Body><u:Seek xmlns:u=\"urn:schemas-upnp-org:service:AVTransport:1\"><InstanceID>0</InstanceID>"
                    + "<Unit>REL_TIME</Unit><Target>01:02:03</Target></u:Seek></s:Body></s:Envelope>"))
    }

    @Test func theItemIsDescribedAndEscapedTwice() async throws {
        let (transport, network) = try transport([Samples.answer("SetAVTransportURI", [:])])
        try await transport.setURI(Samples.film)
        let text = try body(network.requests.first)
        #expect(text.contains("<CurrentURI>http://192.0.2.1/film.mp4?a=1&amp;b=&lt;2&gt;</CurrentURI>"))
        #expect(
            text.contains("&lt;dc:title&gt;Tom &amp;amp; &amp;quot;Jerry&amp;quot; &amp;lt;1&amp;gt;&lt;/dc:title&gt;"))
        #expect(
            text.contains("&lt;res protocolInfo=&quot;http-get:*:video/mp4:*&quot; duration=&quot;00:01:40&quot;&gt;"))
        let sent = try #require(try Markup.read(Array(text.utf8), from: "").first("CurrentURIMetaData")?.text)
        let item = try #require(try Markup.read(Array(sent.utf8), from: "").child("item"))
        #expect(item["title"] == Samples.film.title)
        #expect(item["class"] == "object.item.videoItem")
        #expect(item["res"] == Samples.film.url)
    }

    @Test func itemRoundTripsThroughDIDL() async throws {
        let text = Generator<String>.string(
            of: .oneOf(.element(of: Array("ab<&>\"':é 1".unicodeScalars))), count: 1...12
        )
        .map { "x\($0)x" }
        let types = Generator<String>.element(of: ["video/mp4", "audio/L16;rate=44100;channels=2", "image/png"])
        let lengths = Generator<Int64?>.optional(.int(in: 1...100_000_000))
        try await forAll(.zip(text, text, types, .optional(text), lengths), runs: 500) { id, url, type, title, length in
            let item = MediaItem(
                id: id, url: url, contentType: type, title: title ?? id, duration: length.map { .milliseconds($0) })
            let found = DIDLLite.item(at: url, DIDLLite.document(for: item))
            try require(found == item, "\(found)")
        }
    }

    @Test func foreignItemIsReadFromItsMetadata() {
        let foreign = DIDLLite.item(at: "http://b/x", "<DIDL-Lite><item><dc:title>X</dc:title></item></DIDL-Lite>")
        #expect(
            foreign
                == MediaItem(id: "http://b/x", url: "http://b/x", contentType: "application/octet-stream", title: "X"))
        #expect(DIDLLite.item(at: "http://b/x", "rubbish").id == "http://b/x")
        #expect(DIDLLite.item(at: "http://b/x", nil).title == nil)
    }

    @Test(arguments: [
        (701, PlaybackError.Code.refused), (704, .unplayable), (714, .unplayable), (716, .unplayable), (718, .refused),
        (401, .refused),
        (899, .refused),
    ])
    func aFaultIsAnErrorWithItsCause(code: Int, expected: PlaybackError.Code) async throws {
        let (transport, _) = try transport([Samples.fault(code, "because")])
        let error = await #expect(throws: PlaybackError.self) { try await transport.play() }
        #expect(error?.code == expected)
        #expect(error?.cause as? UPnPFault == UPnPFault(code: code, reason: "because"))
        #expect(error?.message.hasPrefix("http://a:1/c refused Play: ") == true)
        #expect(error?.description.hasSuffix("(UPnP error \(code): because)") == true)
    }

    @Test(arguments: [
        StubAnswer.ok(""), .ok("rubbish"), .ok(Samples.envelope("<u:PauseResponse/>")), .ok("<s:Envelope/>"),
        .respond(.internalServerError, Samples.envelope("<s:Fault><faultstring>x</faultstring></s:Fault>")),
        .respond(.internalServerError, Samples.envelope("<u:PlayResponse/>")),
        .ok("<!DOCTYPE a [<!ENTITY b 'b'>]><a>&b;</a>"),
    ])
    func invalidAnswerIsMalformed(answer: StubAnswer) async throws {
        let (transport, _) = try transport([answer])
        let error = await #expect(throws: PlaybackError.self) { try await transport.play() }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("http://a:1/c") == true)
    }

    @Test func errorStatusIsARefusal() async throws {
        let (transport, _) = try transport([.respond(.forbidden, "no")])
        let error = await #expect(throws: PlaybackError.self) { try await transport.play() }
        #expect(error?.code == .refused)
        #expect(error?.message.contains("403") == true)
    }

    @Test func readingHasTheStateAndPositionOfTheDevice() async throws {
        let (transport, _) = try transport([
            Samples.answer(
                "GetTransportInfo", ["CurrentTransportState": "PLAYING", "CurrentTransportStatus": "ERROR_OCCURRED"]),
            Samples.answer(
                "GetPositionInfo",
                [
                    "RelTime": "NOT_IMPLEMENTED", "AbsTime": "0:00:05", "TrackDuration": "0:00:00", "TrackURI": "",
                    "TrackMetaData": "NOT_IMPLEMENTED",
                ]),
        ])
        #expect(
            try await transport.reading(withPosition: true)
                == TransportReading(state: .playing, hasFailed: true, position: .seconds(5)))
    }

    @Test func aReadingWithoutAStateIsMalformed() async throws {
        let (transport, _) = try transport([Samples.answer("GetTransportInfo", ["CurrentSpeed": "1"])])
        let error = await #expect(throws: PlaybackError.self) { try await transport.reading(withPosition: false) }
        #expect(error?.code == .malformed)
    }
}
