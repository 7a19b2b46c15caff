import Foundation
import Testing
import WharfCore
import WharfJSON

@testable import WharfHTTP
@testable import WharfURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct CopyingTests {
    @Test func dataOfTheSessionIsCopiedOnlyByItsReader() async throws {
        let url = try #require(URL(string: "http://localhost/"))
        let exchange = URLSessionExchange(
            URLSession.shared.dataTask(with: url),
            request: HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/"),
            bufferLimit: 1 << 20)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 1)
        let answer = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        exchange.received(answer)
        // Allocated above, and freed after the last use of the data.
        exchange.received(Data(bytesNoCopy: try #require(memory.baseAddress), count: 4096, deallocator: .none))
        exchange.completed(nil)
        _ = try await exchange.head()
        // The reader sees this only if the exchange has made no copy.
        memory.initializeMemory(as: UInt8.self, repeating: 2)
        let body = try await Body(BodyStream(exchange), upTo: 4096, asJSON: true)
        guard case .json(let bytes) = body else { return #expect(Bool(false), "expected JSON, found \(body)") }
        #expect(bytes.count == 4096)
        #expect(bytes.array.allSatisfy { $0 == 2 })
    }
}
