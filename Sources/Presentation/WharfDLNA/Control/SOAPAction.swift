internal import WharfCore
internal import WharfPlayback

/// One action of a service, as SOAP 1.1 over HTTP.
///
/// See UPnP Device Architecture 2.0, section 3.2.
struct SOAPAction {
    let name: String
    /// The arguments, in the order of the service's description.
    ///
    /// Some devices rely on the order.
    let arguments: [(name: String, value: String)]

    init(_ name: String, _ arguments: [(name: String, value: String)] = []) {
        self.name = name
        self.arguments = arguments
    }

    func envelope(for serviceType: String) -> String {
        let arguments = arguments.map { "<\($0.name)>\($0.value.escapedForMarkup)</\($0.name)>" }.joined()
        return #"<?xml version="1.0" encoding="utf-8"?>"# + "\r\n"
            + #"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" "#
            + #"s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>"#
            + #"<u:\#(name) xmlns:u="\#(serviceType.escapedForMarkup)">\#(arguments)</u:\#(name)>"#
            + "</s:Body></s:Envelope>"
    }

    /// Parses an answer, and returns the result arguments by name.
    ///
    /// - Parameter place: the origin of the answer, for messages.
    /// - Throws: the device's fault; `malformed` if the body is neither a fault nor the action's
    ///   answer.
    func outcome(
        _ status: HTTPResponse.Status, _ body: [UInt8], from place: String
    ) throws(PlaybackError) -> [String: String] {
        guard status == .ok || status == .internalServerError else {
            throw PlaybackError(
                .refused, "expected 200 or a fault with 500 from \(place) for \(name), found \(status.code)")
        }
        let document = try Markup.read(body, from: place)
        // A fault counts with either status.
        if let fault = document.first("Fault") { throw refusal(fault, from: place) }
        guard status == .ok, let answer = document.first(name + "Response") else {
            throw PlaybackError(
                .malformed,
                "expected \(name)Response or a fault from \(place), found \(status.code) with the element \(document.name)"
            )
        }
        return Dictionary(answer.children.map { ($0.name, $0.text) }) { first, _ in first }
    }

    private func refusal(_ fault: Markup, from place: String) -> PlaybackError {
        guard let text = fault.first("errorCode")?.text, let code = Int(text) else {
            let found = fault["faultstring"] ?? "no errorCode"
            return PlaybackError(
                .malformed, "expected a fault with an errorCode from \(place) for \(name), found \(found)")
        }
        let cause = UPnPFault(code: code, reason: fault.first("errorDescription")?.text ?? "")
        return PlaybackError(
            cause.playbackCode, "\(place) refused \(name): \(cause.meaning)", cause: cause)
    }
}
