import Foundation
import Wharf

/// Durations, sizes and statuses in the notation of people.
enum Plain {
    /// Returns a duration as in `12 s`, `3 min 12 s`, `2 h 5 min`, `4 d 3 h`.
    ///
    /// It is rounded down, and never negative.
    static func duration(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86400)
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: pair(minutes, "min", seconds % 60, "s")
        case ..<86400: pair(hours, "h", minutes % 60, "min")
        case ..<(86400 * 1000): pair(days, "d", hours % 24, "h")
        default: "\(days / 365) years"
        }
    }

    private static func pair(_ large: Int64, _ unit: String, _ small: Int64, _ smallUnit: String) -> String {
        small == 0 ? "\(large) \(unit)" : "\(large) \(unit) \(small) \(smallUnit)"
    }

    /// Returns seconds with three decimals, as in `192.000`.
    static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = abs(attoseconds / 1_000_000_000_000_000)
        let sign = duration < .zero && seconds == 0 ? "-" : ""
        return "\(sign)\(seconds).\(String(milliseconds + 1000).dropFirst())"
    }

    /// Returns a size in powers of 1000, as in `512 B`, `4.5 kB`, `28.4 MB`.
    static func bytes(_ count: Int64) -> String {
        var scaled = Double(max(0, count))
        if scaled < 1000 { return "\(count) B" }
        var unit = "kB"
        scaled /= 1000
        for larger in ["MB", "GB", "TB"] where scaled >= 999.95 {
            scaled /= 1000
            unit = larger
        }
        let tenths = Int64((scaled * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }

    /// Returns a status as in `404 Not Found`.
    static func status(_ status: HTTPResponse.Status) -> String {
        let reason = reason(status)
        return reason.isEmpty ? "\(status.code)" : "\(status.code) \(reason)"
    }

    /// Returns the reason phrase of the answer, or the one of RFC 9110.
    ///
    /// HTTP/2 has none, and `URLSession` drops it.
    static func reason(_ status: HTTPResponse.Status) -> String {
        if !status.reasonPhrase.isEmpty { return status.reasonPhrase }
        return registered.first { $0.code == status.code }?.reasonPhrase ?? ""
    }

    private static let registered: [HTTPResponse.Status] = [
        .ok, .created, .accepted, .nonAuthoritativeInformation, .noContent, .resetContent, .partialContent,
        .multipleChoices, .movedPermanently, .found, .seeOther, .notModified, .temporaryRedirect, .permanentRedirect,
        .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .notAcceptable,
        .proxyAuthenticationRequired, .requestTimeout, .conflict, .gone, .lengthRequired, .preconditionFailed,
        .contentTooLarge, .uriTooLong, .unsupportedMediaType, .rangeNotSatisfiable, .expectationFailed,
        .misdirectedRequest, .unprocessableContent, .tooEarly, .upgradeRequired, .preconditionRequired,
        .tooManyRequests, .requestHeaderFieldsTooLarge, .unavailableForLegalReasons, .internalServerError,
        .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout, .httpVersionNotSupported,
        .networkAuthenticationRequired,
    ]

    /// Returns foreign text in one line.
    ///
    /// Characters that move the cursor or change the reading direction are escaped.
    static func shown(_ text: String) -> String { line(escaped(text) { $0 == "\n" }) }

    /// Returns foreign text with such characters escaped and its line breaks kept.
    static func shownLines(_ text: String) -> String { escaped(text) { $0 == "\n" || $0 == "\t" } }

    private static func escaped(_ text: String, _ isKept: (Unicode.Scalar) -> Bool) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                if isKept(scalar) {
                    shown.append(scalar)
                } else {
                    shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
                }
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }

    /// Returns a time as in `2026-11-22T14:05:38Z`.
    static func time(_ time: WallTime) -> String {
        Date(timeIntervalSince1970: TimeInterval(time.secondsSince1970)).formatted(.iso8601)
    }

    /// Returns a count as in `1 attempt` or `2 attempts`.
    static func attempts(_ count: Int) -> String { count == 1 ? "1 attempt" : "\(count) attempts" }

    /// Returns a count as in `1 delivery` or `2 deliveries`.
    static func deliveries(_ count: Int) -> String { count == 1 ? "1 delivery" : "\(count) deliveries" }

    /// Returns a count as in `1 answer` or `2 answers`.
    static func answers(_ count: Int) -> String { count == 1 ? "1 answer" : "\(count) answers" }

    /// Returns the text with its lines joined.
    static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
