internal import WharfCore
internal import WharfJSON
internal import WharfPlayback

/// The construction of answers.
extension ScreenReceiver {
    var provenance: Provenance { Provenance(source: .network, asOf: wallClock.now()) }

    func over(_ end: SessionEnd) -> TransportResponse { answer(.gone, ScreenMessage.Failure(end)) }

    func answer(_ outcome: CommandAnswer) -> TransportResponse {
        switch outcome {
        case .success(let state): answer(.ok, state)
        case .failure(let error): answer(.conflict, ScreenMessage.Failure(error))
        }
    }

    func answer(_ status: HTTPResponse.Status, fields: HTTPFields = [:]) -> TransportResponse {
        let head = HTTPResponse(status: status, headerFields: fields)
        return TransportResponse(head: head, body: .empty, provenance: provenance)
    }

    func answer(
        _ status: HTTPResponse.Status, _ message: some JSONEncodable, fields: HTTPFields = [:]
    ) -> TransportResponse {
        do throws(JSONError) {
            var fields = fields
            fields[.contentType] = "application/json"
            let head = HTTPResponse(status: status, headerFields: fields)
            return TransportResponse(head: head, body: BodyStream(try JSON.encode(message)), provenance: provenance)
        } catch {
            // Strings and whole numbers can always be encoded, so this does not happen.
            return answer(.internalServerError)
        }
    }
}
