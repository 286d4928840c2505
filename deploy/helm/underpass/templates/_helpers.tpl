{{- define "underpass.name" -}}
{{- $name := ternary .Release.Name (printf "%s-underpass" .Release.Name) (contains "underpass" .Release.Name) -}}
{{- trunc 52 $name | trimSuffix "-" -}}
{{- end -}}

{{- define "underpass.selector" -}}
app.kubernetes.io/name: underpass
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "underpass.labels" -}}
{{ include "underpass.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- /* Not empty if the daemons have links to each other. */}}
{{- define "underpass.links" -}}
{{- if and .Values.secret .Values.linkPort (not (hasKey .Values.options "link-listen")) (not .Values.options.alone) }}yes{{ end }}
{{- end }}

{{- /* Seconds that a pod which ends is still used. A pod alone ends at once: no other one takes its visitors. */}}
{{- define "underpass.preStop" -}}
{{- if gt (int .Values.replicas) 1 }}{{ int .Values.preStopSeconds }}{{ else }}0{{ end }}
{{- end }}

{{- /* Seconds that an end may take: the pause, the two parts of a stop, and some more. */}}
{{- define "underpass.gracePeriod" -}}
{{- $leave := int (get .Values.options "leave-seconds" | default 10) }}
{{- if and (hasKey .Values.options "leave-seconds") (eq (toString (get .Values.options "leave-seconds")) "0") }}{{ $leave = 0 }}{{ end }}
{{- $drain := int (get .Values.options "drain-seconds" | default 10) }}
{{- if and (hasKey .Values.options "drain-seconds") (eq (toString (get .Values.options "drain-seconds")) "0") }}{{ $drain = 0 }}{{ end }}
{{- add (include "underpass.preStop" . | int) $leave $drain 10 }}
{{- end }}
