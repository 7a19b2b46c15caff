public import WharfCore
public import WharfJSON

extension RemoteSource where Model.ID: CustomStringConvertible {
    /// Returns a source made of one example, for a service that does not exist yet.
    ///
    /// ```swift
    /// let source = try RemoteSource<Recommendation>.example(
    ///     #"{"id": 1, "title": "Heat"}"#, payload: RecommendationPayload.self) { Recommendation($0) }
    /// ```
    ///
    /// Once the service exists, replace this line by
    /// `.http(client, at: "recommendations", payload: …)`. Nothing else changes.
    ///
    /// For any id the answer is the example with that id. The list holds the example and others
    /// like it, whose ids are counted up. If the example is an array, the list is that array.
    /// Queries match the members of the objects by their names in JSON.
    ///
    /// - Parameters:
    ///   - member: the name of the id in JSON. Its value is a number, a text or a `UUID`.
    ///   - count: the length of the list, if there is one example.
    ///   - configure: sets up the decoder: `{ $0.keyDecodingStrategy = .convertFromSnakeCase }`.
    ///   - delay: how long each answer takes.
    ///   - failure: an error that each read throws in place of an answer.
    ///   - clock: stamps the answers.
    ///   - timer: measures the delay.
    /// - Throws: ``ReadFailure/Code/undecodable`` with line and column, if the example is no
    ///   payload or has no id; ``ReadFailure/Code/unmappable`` if the mapping throws.
    public static func example<Payload: Decodable & Sendable>(
        _ json: String, payload: Payload.Type, id member: String = "id", count: Int = 10, delay: Duration = .zero,
        failure: ReadFailure? = nil, clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(),
        configure: (inout CodableJSONDecoder) -> Void = { _ in }, mapping: @escaping @Sendable (Payload) throws -> Model
    ) throws(ReadFailure) -> RemoteSource {
        var decoder = CodableJSONDecoder()
        configure(&decoder)
        let examples = try Examples(json, id: member, count: count) { [decoder] bytes in
            try mapping(try decoder.payload(Payload.self, from: bytes))
        }
        return RemoteSource(examples, delay, failure, clock, timer)
    }

    /// Returns a source made of one example, for payloads that decode directly.
    public static func example<Payload: JSONDecodable & Sendable>(
        _ json: String, payload: Payload.Type, id member: String = "id", count: Int = 10, delay: Duration = .zero,
        failure: ReadFailure? = nil, clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(),
        mapping: @escaping @Sendable (Payload) throws -> Model
    ) throws(ReadFailure) -> RemoteSource {
        let examples = try Examples(json, id: member, count: count) { bytes in
            try mapping(try JSON.example(Payload.self, from: bytes))
        }
        return RemoteSource(examples, delay, failure, clock, timer)
    }

    private init(
        _ examples: Examples<Model>, _ delay: Duration, _ failure: ReadFailure?, _ clock: any WallClock,
        _ timer: any Clock<Duration>
    ) {
        let wait: @Sendable () async throws -> Void = {
            if delay > .zero { try await timer.sleep(for: delay) }
            if let failure { throw failure }
        }
        self.init(
            get: { id in
                try await wait()
                return try examples.model(id)
            },
            list: { query in
                try await wait()
                return examples.answer(query.rows.storeQuery ?? query.rows)
            }, clock: clock)
    }
}

extension RemoteSource where Model: Decodable, Model.ID: CustomStringConvertible {
    /// Returns a source made of one example, if the model is the payload.
    ///
    /// ```swift
    /// let films = Repository(source: try RemoteSource<Film>.example(#"{"id": 1, "title": "Heat"}"#))
    /// ```
    public static func example(
        _ json: String, id member: String = "id", count: Int = 10, delay: Duration = .zero, failure: ReadFailure? = nil,
        clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(),
        configure: (inout CodableJSONDecoder) -> Void = { _ in }
    ) throws(ReadFailure) -> RemoteSource {
        try example(
            json, payload: Model.self, id: member, count: count, delay: delay, failure: failure, clock: clock,
            timer: timer, configure: configure, mapping: { $0 })
    }
}

extension CodableJSONDecoder {
    fileprivate func payload<Payload: Decodable>(
        _ type: Payload.Type, from bytes: JSONBytes
    ) throws(ReadFailure) -> Payload {
        do {
            return try decode(type, from: bytes)
        } catch {
            throw .undecodable(type, error)
        }
    }
}

extension JSON {
    fileprivate static func example<Payload: JSONDecodable>(
        _ type: Payload.Type, from bytes: JSONBytes
    ) throws(ReadFailure) -> Payload {
        do throws(JSONError) {
            return try decode(type, from: bytes)
        } catch {
            throw .undecodable(type, error)
        }
    }
}
