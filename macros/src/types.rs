//! What the macros read from the name of a type: `Cx`, `Held`, `Handle` and `Result`, nothing else.

use quote::ToTokens;
use syn::{
    GenericArgument, Lifetime, Path, PathArguments, PathSegment, ReturnType, Type, TypeImplTrait,
    TypeReference,
    fold::{self, Fold},
    parse_quote,
};

use crate::errors::Errors;

/// The last segment of a path: `Cx<S>` in `tollgate::Cx<S>`.
pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match bare(ty) {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// Whether this is `Cx` or `Cx<S>`.
pub(crate) fn is_cx(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|it| it.ident == "Cx")
}

/// The first type between the angle brackets: `S` in `Cx<S>`.
pub(crate) fn first_argument(ty: &Type) -> Option<&Type> {
    let PathArguments::AngleBracketed(list) = &last_segment(ty)?.arguments else {
        return None;
    };
    list.args.iter().find_map(|it| match it {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The type without the parentheses, visible or not, that stand around it.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        // A type that went through `macro_rules!` arrives in an invisible group.
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        _ => ty,
    }
}

/// What a function returns.
pub(crate) struct Output {
    /// `T` of `-> Result<T>` or of `-> T`.
    pub(crate) ty: Type,
    /// Whether it is wrapped in a `Result`.
    pub(crate) fallible: bool,
}

impl Output {
    pub(crate) fn read(output: &ReturnType, errors: &mut Errors) -> Self {
        let unit = || parse_quote!(());
        let output = match output {
            ReturnType::Default => Self { ty: unit(), fallible: false },
            ReturnType::Type(_, ty) if last_segment(ty).is_some_and(|it| it.ident == "Result") => {
                Self { ty: first_argument(ty).cloned().unwrap_or_else(unit), fallible: true }
            }
            ReturnType::Type(_, ty) => Self { ty: Type::clone(ty), fallible: false },
        };
        Owned { errors, place: Place::Output }.fold_type(output.ty.clone());
        output
    }
}

/// The type of an argument as a client writes it: a `Handle` where the function takes a `Held`.
pub(crate) fn request_type(argument: &Type, errors: &mut Errors) -> Type {
    let owned = Owned { errors, place: Place::Argument }.fold_type(argument.clone());
    Travelling { errors }.fold_type(owned)
}

/// Reports what is borrowed or has no name.
struct Owned<'a> {
    errors: &'a mut Errors,
    place: Place,
}

enum Place {
    Argument,
    Output,
}

impl Owned<'_> {
    fn borrowed(&mut self, tokens: &impl ToTokens) {
        let message = match self.place {
            Place::Argument => "the arguments are owned: take `String` or `Text<80>` in place of a reference",
            Place::Output => "the output is owned: return `String` in place of a reference",
        };
        self.errors.at(tokens, message);
    }
}

impl Fold for Owned<'_> {
    fn fold_type_reference(&mut self, reference: TypeReference) -> TypeReference {
        // A constant text can be written out, but nothing that is read can be borrowed for ever.
        let constant = reference.lifetime.as_ref().is_some_and(|it| it.ident == "static");
        if !constant || matches!(self.place, Place::Argument) {
            self.borrowed(&reference);
        }
        reference
    }

    fn fold_lifetime(&mut self, lifetime: Lifetime) -> Lifetime {
        if lifetime.ident != "static" {
            self.borrowed(&lifetime);
        }
        lifetime
    }

    fn fold_type_impl_trait(&mut self, ty: TypeImplTrait) -> TypeImplTrait {
        self.errors.at(&ty, "name the type in place of `impl …`: its schema is part of the contract");
        ty
    }
}

/// Turns `Held` into `Handle`, and reports each `Handle` that was there before.
struct Travelling<'a> {
    errors: &'a mut Errors,
}

impl Fold for Travelling<'_> {
    fn fold_path(&mut self, path: Path) -> Path {
        let path = fold::fold_path(self, path);
        match path.segments.last() {
            Some(last) if last.ident == "Handle" => {
                let message = "a `Handle` is only a name, nobody has checked who sent it: take `Held<_>`";
                self.errors.at(&path, message);
                path
            }
            Some(last) if last.ident == "Held" => {
                // The user may have imported `Held` alone.
                let arguments = &last.arguments;
                parse_quote!(::tollgate::Handle #arguments)
            }
            _ => path,
        }
    }
}
