public import Foundation

extension Decoding where Payload: Decodable {
    /// JSON by Foundation's decoder with its default settings.
    public static var json: Self { json { _ in } }

    /// JSON by Foundation's decoder.
    ///
    /// - Parameter configure: sets up a new decoder for each answer.
    public static func json(_ configure: @escaping @Sendable (JSONDecoder) -> Void) -> Self {
        Self(accepting: "application/json") { bytes, _ in
            let decoder = JSONDecoder()
            configure(decoder)
            return try decoder.decode(Payload.self, from: Data(bytes))
        }
    }
}
