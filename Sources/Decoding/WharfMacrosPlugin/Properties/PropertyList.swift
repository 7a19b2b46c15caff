#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// The stored properties of a type that are read and written, in declaration order.
struct PropertyList {
    private(set) var properties: [Property] = []
    private(set) var problems: [Problem] = []
    private let keys: KeyStyle

    init(of declaration: some DeclGroupSyntax, keys: KeyStyle) {
        self.keys = keys
        for (variable, isConditional) in declaration.memberVariables {
            if isConditional { refuse(variable) } else { add(variable) }
        }
    }

    private mutating func add(_ variable: VariableDeclSyntax) {
        let marks = Marks(variable.attributes)
        // In `var a, b: Int` the last annotation holds for the bindings before it.
        var annotation: TypeSyntax?
        var types: [TypeSyntax?] = []
        for binding in variable.bindings.reversed() {
            if let own = binding.typeAnnotation?.type {
                annotation = own
            } else if binding.initializer != nil {
                annotation = nil
            }
            types.append(annotation)
        }
        for (binding, type) in zip(variable.bindings, types.reversed()) {
            if let reason = variable.reasonToSkip(binding) {
                refuse(marks, reason)
            } else {
                add(binding, of: variable, type: type, marks)
            }
        }
    }

    private mutating func add(
        _ binding: PatternBindingSyntax, of variable: VariableDeclSyntax, type annotation: TypeSyntax?, _ marks: Marks
    ) {
        let isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
        let initial = binding.initializer?.value
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
            if isConstant, initial != nil { return }
            problems.append(
                Problem(
                    "tuple", "a property that is read from JSON has one name; declare these separately", at: binding))
            return
        }
        // A constant with a value is no field: nothing could be read into it.
        if isConstant, initial != nil { return refuseConstant(name, variable, marks) }
        if let ignored = marks.ignored {
            return checkIgnored(ignored, binding, isConstant: isConstant, type: annotation, marks)
        }
        guard let type = annotation ?? initial?.literalType else {
            problems.append(
                Problem(
                    "missingType", "'\(name.text)' needs a type annotation: a macro knows only the types of literals",
                    at: binding, fixIts: [.addType(to: binding)])
            )
            return
        }
        let declared = PropertyType(type)
        let presence = presence(of: declared, initial: initial)
        if case .defaulted = presence, declared.depth > 1, let initial {
            problems.append(
                Problem(
                    "threeWayDefault",
                    "'\(name.text)' distinguishes a missing key from null, so a missing key is nil and has no other default",
                    at: initial)
            )
        }
        if declared.depth > 2 {
            problems.append(
                Problem(
                    "tooOptional", "JSON distinguishes only a missing key, null and a value; remove a '?'", at: type))
        }
        properties.append(
            Property(
                name: name.text, path: marks.path(&problems) ?? [keys.key(for: name.plainName)], type: declared,
                format: marks.format(&problems), presence: presence,
                // A variable of optional type starts as nil; a constant does not.
                startsWithValue: initial != nil || (!isConstant && declared.depth > 0), node: Syntax(binding.pattern)
            )
        )
    }

    private func presence(of type: PropertyType, initial: ExprSyntax?) -> Property.Presence {
        // `= nil` on an optional is the value it has anyway, so it is no default.
        if let initial, !(initial.isNil && type.depth > 0) { return .defaulted(isOptional: type.depth > 0) }
        return switch type.depth {
        case 0: .required
        case 1: .optional
        default: .threeWay
        }
    }
}

extension PropertyList {
    private mutating func refuse(_ marks: Marks, _ reason: String) {
        for attribute in [marks.field, marks.ignored].compactMap(\.self) {
            problems.append(
                Problem(
                    "notStored", "'@\(attribute.plainName)' applies to stored properties; \(reason)", at: attribute,
                    fixIts: [.remove(attribute)])
            )
        }
    }

    private mutating func refuseConstant(_ name: TokenSyntax, _ variable: VariableDeclSyntax, _ marks: Marks) {
        guard let field = marks.field else { return }
        let keyword = variable.bindingSpecifier
        problems.append(
            Problem(
                "constant", "'\(name.text)' has its value already, so nothing can be read into it", at: field,
                fixIts: [
                    .replace("makeVariable", "make it a 'var'", keyword, by: keyword.with(\.tokenKind, .keyword(.var)))
                ])
        )
    }

    private mutating func checkIgnored(
        _ ignored: AttributeSyntax, _ binding: PatternBindingSyntax, isConstant: Bool, type: TypeSyntax?, _ marks: Marks
    ) {
        if let field = marks.field {
            problems.append(
                Problem(
                    "ignoredField", "an ignored property has no key", at: field, fixIts: [.remove(field)]))
        }
        let startsAsNil = !isConstant && (type.map { PropertyType($0).depth > 0 } ?? false)
        guard binding.initializer == nil, !startsAsNil else { return }
        problems.append(
            Problem(
                "ignoredWithoutDefault", "an ignored property needs a default value",
                at: binding, fixIts: [.addDefault(to: binding)])
        )
    }

    /// Refuses a property inside `#if`: a macro sees all branches, but can't tell which is active.
    private mutating func refuse(_ variable: VariableDeclSyntax) {
        guard variable.bindings.contains(where: { variable.reasonToSkip($0) == nil }) else { return }
        problems.append(
            Problem("condition", "a stored property inside '#if' can't be read from JSON; move it out", at: variable))
    }
}

extension VariableDeclSyntax {
    /// Returns the reason that a binding is not a stored property of an instance.
    fileprivate func reasonToSkip(_ binding: PatternBindingSyntax) -> String? {
        if modifiers.isOfType { return "this property belongs to the type" }
        if modifiers.has(.lazy) { return "this property is lazy" }
        return binding.isComputed ? "this property is computed" : nil
    }
}

extension PatternBindingSyntax {
    var isComputed: Bool {
        switch accessorBlock?.accessors {
        case nil: false
        case .getter: true
        case .accessors(let list):
            !list.allSatisfy { [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind) }
        }
    }
}
#endif
