import Foundation
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws

@testable import WharfHTTP

@Suite struct BodyProducerLawTests {
    @Test(arguments: BodyProducerLaws.all)
    func eachBodyProducerKeeps(law: Law<BodyProducerLaws.Subject>) async throws {
        try await TemporaryFolder.contents { folder in
            @Sendable func file(_ bytes: [UInt8]) throws -> String {
                let name = UUID().uuidString
                try folder.write(bytes, name)
                return folder[name]
            }
            try await law.check(.init("OpenFile") { try OpenFile(try file($0)) })
            try await law.check(
                .init("CountedBody") { CountedBody(BodyStream(try OpenFile(try file($0))), Int64($0.count)) { _ in } })
            try await law.check(
                .init("SegmentedBody") { bytes in
                    let (head, middle) = (Array(bytes.prefix(7)), Array(bytes.dropFirst(7).dropLast(7)))
                    let tail = Array(bytes.dropFirst(head.count + middle.count))
                    return SegmentedBody([.bytes(head), .file(try file(middle), Int64(middle.count)), .bytes(tail)])
                })
        }
    }
}
