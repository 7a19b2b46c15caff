import Foundation
import Testing
import WharfCore
import WharfFakes
import WharfPlayback

@testable import WharfDLNA

@Suite struct DescriptionTests {
    private func read(_ text: String, from location: String = "http://a:1/x/d.xml") throws -> DeviceDescription {
        try DeviceDescription(Array(text.utf8), from: try #require(URL(string: location)))
    }

    @Test(arguments: [
        ("", "/c", "http://a:1/c"), ("", "c?x=1", "http://a:1/x/c?x=1"), ("", "http://A:2/c", "http://A:2/c"),
        ("<URLBase>http://a:2/y/</URLBase>", "c", "http://a:2/y/c"),
        ("<URLBase>http://a:2/</URLBase>", "/c", "http://a:2/c"),
        ("<URLBase></URLBase>", "c", "http://a:1/x/c"), ("", "../c", "http://a:1/c"),
    ])
    func controlURLsAreResolved(base: String, control: String, url: String) throws {
        let description = try read(Samples.description(base: base, control: control))
        #expect(description.transport.control.absoluteString == url)
        #expect(description.transport.type == "urn:schemas-upnp-org:service:AVTransport:2")
    }

    @Test(arguments: [
        ("", "http://b/c"), ("", "//b/c"), ("<URLBase>http://b:1/</URLBase>", "/c"), ("", "http://a.b:1/c"),
    ])
    func controlURLOfAnotherHostIsMalformed(base: String, control: String) throws {
        let error = #expect(throws: PlaybackError.self) { try read(Samples.description(base: base, control: control)) }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("http://a:1/x/d.xml") == true)
    }

    @Test func descriptionHasNameAndIdentity() throws {
        let description = try read(Samples.description)
        #expect(description.name == "Den & Co")
        #expect(description.id == "uuid:1")
        #expect(try read(Samples.description(base: "", control: "/c", name: "")).name == "uuid:1")
    }

    @Test func nestedRendererIsFound() throws {
        let inner = Samples.description(base: "", control: "/c")
        let device = try #require(inner.firstRange(of: /<device>(.|\n)*<\/device>/).map { inner[$0] })
        let description = try read(
            "<root><device><UDN>uuid:outer</UDN><friendlyName>Box</friendlyName><deviceList>\(device)</deviceList></device></root>"
        )
        #expect(description.id == "uuid:1")
    }

    @Test(arguments: [
        ("<root/>", PlaybackError.Code.malformed), ("<html>", .malformed),
        ("<root><device><UDN>1</UDN></device></root>", .refused),
        (Samples.description(base: "", control: ""), .malformed),
        (Samples.description(base: "", control: "/c", udn: ""), .malformed),
    ])
    func descriptionWithoutARendererIsRefused(text: String, code: PlaybackError.Code) throws {
        let error = #expect(throws: PlaybackError.self) { try read(text) }
        #expect(error?.code == code)
        #expect(error?.message.contains("http://a:1/x/d.xml") == true)
    }

    @Test(arguments: ["", "d.xml", "file:///etc/passwd", "ftp://a/d.xml", "http://", "not a url"])
    func invalidLocationIsMalformed(location: String) async {
        let network = StubTransport { _ in .ok(Samples.description) }
        let error = await #expect(throws: PlaybackError.self) { try await DLNAScreen.at(location, transport: network) }
        #expect(error?.code == .malformed)
        #expect(network.requests.isEmpty)
    }

    @Test(arguments: [
        (StubAnswer.respond(.notFound), PlaybackError.Code.refused), (.failure(.connectionFailed), .disconnected),
        (.failure(.timedOut), .timedOut), (.failure(.invalidResponse), .malformed), (.failure(.tooLarge), .malformed),
    ])
    func failedDescriptionIsATypedError(answer: StubAnswer, code: PlaybackError.Code) async {
        let network = StubTransport { _ in answer }
        let error = await #expect(throws: PlaybackError.self) {
            try await DLNAScreen.at("http://[::1]:80/d.xml?a", transport: network)
        }
        #expect(error?.code == code)
        #expect(network.requests.first?.head.authority == "[::1]:80")
        #expect(network.requests.first?.head.path == "/d.xml?a")
        #expect(network.requests.first?.timeout == .seconds(5))
    }

    @Test func aDescriptionOf64KiBIsReadAndALargerOneRefused() async throws {
        let padding = String(repeating: " ", count: 64 * 1024 - Samples.description.utf8.count)
        let known = StubTransport { _ in .ok(Samples.description + padding) }
        #expect(try await DLNAScreen.at("http://a/", transport: known).id == "uuid:1")
        let network = StubTransport { _ in .ok(Samples.description + padding + " ") }
        let error = await #expect(throws: PlaybackError.self) {
            try await DLNAScreen.at("http://a/", transport: network)
        }
        #expect((error?.cause as? TransportError)?.code == .tooLarge)
    }
}
