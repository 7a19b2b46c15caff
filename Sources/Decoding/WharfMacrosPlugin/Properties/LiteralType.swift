#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

extension ExprSyntax {
    /// The type that Swift infers for a literal; nil for other expressions.
    ///
    /// Only the compiler knows the type of those.
    var literalType: TypeSyntax? {
        if self.is(IntegerLiteralExprSyntax.self) { return "Int" }
        if self.is(FloatLiteralExprSyntax.self) { return "Double" }
        if self.is(BooleanLiteralExprSyntax.self) { return "Bool" }
        if self.is(StringLiteralExprSyntax.self) { return "String" }
        if let signed = self.as(PrefixOperatorExprSyntax.self), ["-", "+"].contains(signed.operator.text) {
            let type = signed.expression.literalType
            return type?.description == "Int" || type?.description == "Double" ? type : nil
        }
        return nil
    }

    /// Whether this is `nil`, `.none` or `Optional.none`.
    var isNil: Bool { self.is(NilLiteralExprSyntax.self) || memberName == "none" }
}
#endif
