internal import WharfPrimitives

extension WallTime {
    /// Creates the time of an HTTP-date (RFC 9110 §5.6.7); nil for another text.
    package init?(httpDate text: String) {
        guard let seconds = HTTPDate.secondsSince1970(text) else { return nil }
        self.init(secondsSince1970: seconds)
    }

    /// The time as an HTTP-date. Fractions of a second are cut off.
    package var httpDate: String { HTTPDate.text(secondsSince1970: secondsSince1970) }
}
