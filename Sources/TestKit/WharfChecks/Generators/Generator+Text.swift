extension Generator where Value == Unicode.Scalar {
    /// Draws any Unicode scalar, of which "a" is the smallest.
    ///
    /// One in three is special to a parser, a file system or a comparison.
    public static var scalar: Generator<Unicode.Scalar> {
        .oneOf(.element(of: Array("abcxyzABC019 _-.".unicodeScalars)), .element(of: careless), .valid)
    }

    /// Scalars that often reveal defects.
    ///
    /// They are quotes, escapes, separators, control characters and a combining mark. Others have
    /// several UTF-8 or UTF-16 code units, or look like other scalars.
    private static let careless = Array(
        ("\"'\\/\n\r\t\0%&=+?#;:,(){}[]<>\u{7F}\u{85}\u{A0}\u{E9}\u{301}\u{DF}\u{130}\u{200D}\u{2028}"
            + "\u{FEFF}\u{FFFD}\u{FFFF}\u{1F1E9}\u{1F600}\u{10FFFF}").unicodeScalars)

    private static var valid: Generator<Unicode.Scalar> {
        Generator<UInt32>.int(in: 0...0x10F7FF).map { number in
            // Excludes the 2,048 surrogates, which are no scalars.
            Unicode.Scalar(number < 0xD800 ? number : number + 0x800) ?? "a"
        }
    }
}

extension Generator where Value == String {
    /// Draws strings of scalars.
    ///
    /// - Parameter count: the number of scalars.
    public static func string(
        of scalars: Generator<Unicode.Scalar> = .scalar, count: ClosedRange<Int> = 0...16
    ) -> Generator<String> {
        Generator<[Unicode.Scalar]>.array(of: scalars, count: count).map { scalars in
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            return String(text)
        }
    }
}
