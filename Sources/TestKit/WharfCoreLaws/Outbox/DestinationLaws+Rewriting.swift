internal import WharfChecks
internal import WharfCore

extension DestinationLaws {
    static let rewriting: [Law<Subject>] = [
        Law("a rewrite without an id of the payload changes nothing") { subject in
            let it = try await subject.make()
            var payloads = try (0..<3).map(it.receiver.payload)
            if let naming = it.receiver.naming { payloads.append(try naming(temporary)) }
            for payload in payloads {
                // The unknown id differs from the others in its last digit only.
                for ids in [[:], [unknown: "4444"]] {
                    let found = try it.destination.rewriting(payload, of: it.receiver.kind, ids: ids)
                    try require(found == payload, "\(ids) made \(text(found)) of \(text(payload))")
                }
            }
        },
        Law("a rewrite puts each given id in the place of its temporary one") { subject in
            let it = try await subject.make()
            guard let naming = it.receiver.naming else { return }
            let payload = try naming(temporary)
            let ids = Dictionary(uniqueKeysWithValues: zip(temporary, given))
            let expected = try naming(given)
            // Twice, as a rewrite must depend on its arguments only.
            for _ in 0..<2 {
                let found = try it.destination.rewriting(payload, of: it.receiver.kind, ids: ids)
                try require(found == expected, "\(ids) made \(text(found)) of \(text(payload))")
            }
        },
    ]

    private static let temporary = [
        "0b9c3c9e-5d0a-4c38-9a43-6f0f4a5b1d01", "0b9c3c9e-5d0a-4c38-9a43-6f0f4a5b1d02",
        "0b9c3c9e-5d0a-4c38-9a43-6f0f4a5b1d03",
    ]
    private static let unknown = "0b9c3c9e-5d0a-4c38-9a43-6f0f4a5b1d04"

    private static let given = ["1", "22", "note-333"]

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes.prefix(500), as: UTF8.self) }
}
